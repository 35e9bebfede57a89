import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileModel, type StoredPrecision } from '../../src/compiler/compile-model.ts';
import type { CompiledModel, Task } from '../../src/contracts/compiled-model.ts';
import type { InferenceSession } from '../../src/contracts/inference-session.ts';
import type { ModelFolder } from '../../src/contracts/model-folder.ts';
import type { ItemRows } from '../../src/contracts/scheduler.ts';
import type { Encoding } from '../../src/contracts/tokenizer.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { openSession } from '../../src/runtime/open-session.ts';
import { packRun } from '../../src/scheduling/pack-run.ts';
import { readRows } from '../../src/scheduling/read-rows.ts';

export interface CompiledGolden {
  readonly folder: ModelFolder;
  readonly compiled: CompiledModel;
  /** One row of the first output for each item of one length. */
  run(items: readonly Encoding[]): Promise<readonly Float32Array[]>;
  /** The rows of all outputs for each item of one length. */
  runAll(items: readonly Encoding[]): Promise<readonly ItemRows[]>;
  close(): Promise<void>;
}

async function runGraph(session: InferenceSession, compiled: CompiledModel, items: readonly Encoding[]) {
  const tensors = await session.run(packRun(items, compiled.inputs));
  const shape = { batch: items.length, sequence: items[0]?.ids.length ?? 0 };
  return readRows(tensors, compiled.outputs, shape).map((rows) => {
    if (rows instanceof Error) throw rows;
    return rows;
  });
}

/**
 * Compiles a model folder into a temporary folder and opens the graph; `relative` to this folder. `changes` replace
 * what the folder's files say.
 */
export async function compileGolden(
  relative: string,
  changes: Partial<ModelFolder> = {},
  task: Task | 'auto' = 'auto',
  precision: StoredPrecision = 'float32',
): Promise<CompiledGolden> {
  const original = await openModelFolder(relative, fileURLToPath(new URL(relative, import.meta.url)));
  const folder = { ...original, ...changes };
  const outputFolder = await mkdtemp(path.join(os.tmpdir(), 'golden-'));
  const compiled = await compileModel(folder, { outputFolder, contentKey: 'golden', precision, task });
  const session = await openSession(compiled.graphPath, { threads: 2 });
  return {
    folder,
    compiled,
    run: async (items) => (await runGraph(session, compiled, items)).flatMap(([row]) => row ?? []),
    runAll: (items) => runGraph(session, compiled, items),
    async close() {
      await session.dispose();
      await rm(outputFolder, { recursive: true });
    },
  };
}
