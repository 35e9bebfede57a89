import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from './start-server.ts';

/** Makes `model` a folder of a tiny model of 8192 positions without a lower limit of its own. Returns the folder. */
export function longContextModel(model: string): string {
  cpSync(path.join(PROJECT_ROOT, 'test/golden/public/nomic-embed/model'), model, { recursive: true });
  rmSync(path.join(model, 'sentence_bert_config.json'));
  return model;
}
