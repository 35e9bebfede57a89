import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Logger } from '../../src/contracts/logger.ts';
import type { DownloadOptions } from '../../src/hub/download-model.ts';
import { type Environment, readHubEnvironment } from '../../src/hub/hub-environment.ts';
import { createProgress } from '../../src/observability/create-progress.ts';
import { type HubOptions, type HubServer, startHubServer } from '../fakes/hub/hub-server.ts';
import { safetensorsBytes } from '../fakes/safetensors-bytes.ts';

/** Weights of some kilobytes, so that a transfer can be cut in the middle. */
export const WEIGHTS = Buffer.from(
  safetensorsBytes({ 'embeddings.weight': { dtype: 'F32', shape: [64, 64], data: new Float32Array(4096).fill(0.5) } }),
);

/** What a sentence-transformers repository holds, and what no start needs. */
export const EMBEDDER_FILES = {
  'config.json': { model_type: 'bert' },
  'modules.json': [
    { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
    { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
  ],
  '1_Pooling/config.json': { pooling_mode_cls_token: true },
  'tokenizer.json': { version: '1.0' },
  'model.safetensors': WEIGHTS,
  'pytorch_model.bin': Buffer.alloc(9000, 1),
  'onnx/model.onnx': Buffer.alloc(9000, 2),
  'onnx/model_quantized.onnx': Buffer.alloc(3000, 3),
  'tf_model.h5': Buffer.alloc(9000, 4),
  'README.md': '# A model',
} as const;

/** The names of them that are needed. */
export const NEEDED_FILES = [
  '1_Pooling/config.json',
  'config.json',
  'model.safetensors',
  'modules.json',
  'tokenizer.json',
];

export interface HubWorld {
  readonly server: HubServer;
  readonly cacheFolder: string;
  readonly log: string[];
  /** How long it would have waited between tries. */
  readonly waits: number[];
  readonly options: DownloadOptions;
}

/** A hub, an empty cache, and a log to look at; all gone when the test is over. */
export async function hubWorld(options: HubOptions, environment: Environment = {}): Promise<HubWorld> {
  const server = await startHubServer(options);
  const home = await mkdtemp(path.join(tmpdir(), 'hub-'));
  onTestFinished(async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const hub = readHubEnvironment({ HF_HOME: home, HF_ENDPOINT: server.endpoint, ...environment });
  const log: string[] = [];
  const waits: number[] = [];
  const logger = recordingLogger(log);
  const sleep = async (waitMs: number) => {
    waits.push(waitMs);
  };
  return {
    server,
    cacheFolder: hub.cacheFolder,
    log,
    waits,
    options: { hub, logger, progress: createProgress({ logger }), signal: new AbortController().signal, sleep },
  };
}

function recordingLogger(log: string[]): Logger {
  const at = (level: string) => (message: string) => {
    log.push(`${level}: ${message}`);
  };
  return { error: at('ERROR'), warning: at('WARNING'), info: at('INFO'), debug: () => undefined };
}
