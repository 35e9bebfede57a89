import type { Task } from '../contracts/compiled-model.ts';
import type { LogLevel } from '../contracts/logger.ts';
import type { SettingEntry } from './setting-entry.ts';

/** So that each choice keeps the level's own type. */
const LOG_LEVELS = {
  critical: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'debug',
  trace: 'trace',
} as const satisfies Record<LogLevel, LogLevel>;

/** Capability names, and `auto`. */
const TASKS = {
  auto: 'auto',
  embed: 'embed',
  rerank: 'rerank',
  classify: 'classify',
  sparse: 'sparse',
  colbert: 'colbert',
} as const satisfies Record<Task | 'auto', Task | 'auto'>;

/**
 * Every setting, once. Flags, environment names, the help, the reference page and the types of the parsed values derive
 * from it; the key is the property that holds the value.
 */
export const SETTINGS = {
  modelId: {
    option: 'model-id',
    scope: 'model',
    group: 'Models',
    kind: 'string',
    placeholder: 'id',
    default: ['BAAI/bge-small-en-v1.5', 'cross-encoder/ms-marco-MiniLM-L-12-v2'],
    description: 'A local folder in Hugging Face format, or the id of a bundled model',
  },
  servedModelName: {
    option: 'served-model-name',
    scope: 'model',
    group: 'Models',
    kind: 'string',
    placeholder: 'name',
    default: undefined,
    defaultText: 'the last two parts of the model id',
    description: 'The name by which requests choose the model',
  },
  batchSize: {
    option: 'batch-size',
    scope: 'model',
    group: 'Models',
    kind: 'integer',
    default: 32,
    min: 1,
    description: 'The most items that one run of the model takes',
  },
  task: {
    option: 'task',
    scope: 'model',
    group: 'Models',
    kind: 'choice',
    default: 'auto',
    choices: TASKS,
    description: 'What the model is served for; auto: whatever its files say',
  },
  lanes: {
    option: 'lanes',
    scope: 'model',
    group: 'Models',
    kind: 'integer',
    default: 0,
    min: 0,
    description: 'Inference processes of the model, each with a copy of its weights; 0 chooses by cores and memory',
  },
  threads: {
    option: 'threads',
    scope: 'model',
    group: 'Models',
    kind: 'integer',
    default: 0,
    min: 0,
    description: 'Threads of each inference process of the model; 0 chooses by the cores that this process may use',
  },
  dtype: {
    option: 'dtype',
    scope: 'model',
    group: 'Models',
    kind: 'choice',
    default: 'auto',
    choices: { float32: 'float32', float16: 'float16', bfloat16: 'bfloat16', auto: 'float32' },
    unsupported: ['int8', 'fp8'],
    description:
      'Precision of the weights; auto: float32. float16 and bfloat16 halve the compiled file and are computed in float32',
  },
  device: {
    option: 'device',
    scope: 'model',
    group: 'Models',
    kind: 'choice',
    default: 'auto',
    choices: { cpu: 'cpu', auto: 'cpu' },
    unsupported: ['cuda', 'mps', 'tensorrt', 'xla'],
    description: 'Where the model runs',
  },
  engine: {
    option: 'engine',
    scope: 'model',
    group: 'Models',
    kind: 'choice',
    default: 'torch',
    choices: { torch: 'torch', optimum: 'optimum', auto: 'auto', debugengine: 'debugengine' },
    unsupported: ['ctranslate2', 'neuron'],
    description:
      "Which files of the repository are served; torch: the checkpoint, safetensors or pytorch_model.bin; optimum: its ready-made ONNX file; auto: that file only where the checkpoint is not supported; debugengine: none, vectors of the text's length",
  },
  onnxFile: {
    option: 'onnx-file',
    scope: 'model',
    group: 'Models',
    kind: 'string',
    placeholder: 'name',
    default: undefined,
    defaultText: 'onnx/model.onnx or model.onnx; with int8, float16 or bfloat16 the file named after it',
    description: 'The ONNX file to serve with engine optimum or auto, by its path in the repository',
  },
  host: {
    option: 'host',
    scope: 'server',
    group: 'Server',
    kind: 'string',
    placeholder: 'address',
    default: '0.0.0.0',
    description: 'Address to listen on',
  },
  port: {
    option: 'port',
    scope: 'server',
    group: 'Server',
    kind: 'integer',
    default: 7997,
    min: 0,
    max: 65_535,
    description: 'Port to listen on; 0 takes any free one',
  },
  apiKey: {
    option: 'api-key',
    scope: 'server',
    group: 'Server',
    kind: 'string',
    placeholder: 'key',
    default: undefined,
    defaultText: 'none, every client may call',
    description: 'Key that clients must send as a bearer token',
  },
  maxBatchTokens: {
    option: 'max-batch-tokens',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 4096,
    min: 1,
    description: 'The most tokens that one run of a model takes; a single longer item still runs, alone',
  },
  maxQueuedTokens: {
    option: 'max-queued-tokens',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 2 * 2048 * 512,
    min: 1,
    description:
      'The most tokens that wait for one model, over which requests get 429; a single larger request is taken when half of that is free',
  },
  maxQueuedItems: {
    option: 'queue-size',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 32_000,
    min: 1,
    description: 'The most texts or documents that wait for one model, over which requests get 429',
  },
  requestTimeoutS: {
    option: 'request-timeout',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 0,
    min: 0,
    description:
      'Seconds after which a request is given up with 504, 0 for never; a client shortens it by the header x-request-timeout',
  },
  maxClientBatchSize: {
    option: 'max-client-batch-size',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 2048,
    min: 1,
    description: 'The most texts or documents that one request may hold',
  },
  bodyLimitBytes: {
    option: 'body-limit',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 64 * 1024 * 1024,
    min: 1,
    description: 'The largest request body, in bytes',
  },
  logLevel: {
    option: 'log-level',
    scope: 'server',
    group: 'Logging',
    kind: 'choice',
    default: 'info',
    choices: LOG_LEVELS,
    description: 'The least severe messages to log',
  },
} as const satisfies Record<string, SettingEntry>;

export const SETTING_ENTRIES: readonly SettingEntry[] = Object.values(SETTINGS);
