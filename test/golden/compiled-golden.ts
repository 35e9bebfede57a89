import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileModel } from '../../src/compiler/compile-model.ts';
import type { CompiledModel } from '../../src/contracts/compiled-model.ts';
import type { InferenceSession, Tensor } from '../../src/contracts/inference-session.ts';
import type { ModelFolder } from '../../src/contracts/model-folder.ts';
import type { Encoding } from '../../src/contracts/tokenizer.ts';
import { openModelFolder } from '../../src/hub/open-model-folder.ts';
import { openSession } from '../../src/runtime/open-session.ts';

export interface CompiledGolden {
  readonly folder: ModelFolder;
  readonly compiled: CompiledModel;
  /** One row of the output for each item of one length. */
  run(items: readonly Encoding[]): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

function inputTensors(compiled: CompiledModel, items: readonly Encoding[]): readonly Tensor[] {
  const dims = [items.length, items[0]?.ids.length ?? 0];
  return compiled.inputs.map(({ name, role }) => {
    const rows = items.map(({ ids, typeIds }) => (role === 'input_ids' ? ids : typeIds));
    return { name, dims, data: Int32Array.from(rows.flatMap((row) => [...row])) };
  });
}

async function runGraph(session: InferenceSession, compiled: CompiledModel, items: readonly Encoding[]) {
  const outputs = await session.run(inputTensors(compiled, items));
  const output = outputs.find(({ name }) => name === compiled.outputName);
  const width = compiled.outputWidth;
  if (!(output?.data instanceof Float32Array) || output.data.length !== items.length * width) {
    throw new Error(`expected ${items.length} rows of ${width}, got ${JSON.stringify(output?.dims)}`);
  }
  const { data } = output;
  return items.map((_item, index) => data.slice(index * width, (index + 1) * width));
}

/**
 * Compiles a model folder into a temporary folder and opens the graph; `relative` to this folder. `changes` replace
 * what the folder's files say.
 */
export async function compileGolden(relative: string, changes: Partial<ModelFolder> = {}): Promise<CompiledGolden> {
  const original = await openModelFolder(relative, fileURLToPath(new URL(relative, import.meta.url)));
  const folder = { ...original, ...changes };
  const outputFolder = await mkdtemp(path.join(os.tmpdir(), 'golden-'));
  const compiled = await compileModel(folder, { outputFolder, contentKey: 'golden', precision: 'float32' });
  const session = await openSession(compiled.graphPath, { threads: 2 });
  return {
    folder,
    compiled,
    run: (items) => runGraph(session, compiled, items),
    async close() {
      await session.dispose();
      await rm(outputFolder, { recursive: true });
    },
  };
}
