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
  dtype: {
    option: 'dtype',
    scope: 'model',
    group: 'Models',
    kind: 'choice',
    default: 'auto',
    choices: { float32: 'float32', auto: 'float32' },
    unsupported: ['float16', 'bfloat16', 'int8', 'fp8'],
    description: 'Precision of the weights and of the computation',
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
    choices: { torch: 'torch' },
    unsupported: ['ctranslate2', 'optimum', 'neuron', 'debugengine'],
    description: 'Which files of the repository are served; torch: the checkpoint, safetensors or pytorch_model.bin',
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
