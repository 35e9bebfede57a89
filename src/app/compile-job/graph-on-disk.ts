import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Graph } from '../../compiler/graph/graph.ts';
import { writeGraph } from '../../compiler/graph/write-graph.ts';
import type { GraphInput } from '../../contracts/compiled-model.ts';
import { openSession } from '../../runtime/open-session.ts';
import { packRun } from '../../scheduling/pack-run.ts';
import type { RunText } from '../../tuning/run-text.ts';

/** A graph that was written to be tried: in a folder of its own below the job's. */
export interface GraphOnDisk {
  /** Opens it for the time of `use`. */
  withSession<Result>(use: (run: RunText) => Promise<Result>): Promise<Result>;
  /** Makes it the job's result and returns its path. */
  keep(): Promise<string>;
  remove(): Promise<void>;
}

export interface TrialOptions {
  readonly outputFolder: string;
  readonly modelName: string;
  readonly inputs: readonly GraphInput[];
  readonly threads: number;
}

export async function writeTrial(
  graph: Graph,
  name: string,
  { outputFolder, modelName, inputs, threads }: TrialOptions,
): Promise<GraphOnDisk> {
  const folder = path.join(outputFolder, name);
  await mkdir(folder);
  const graphPath = await writeGraph(graph, modelName, folder);
  const remove = () => rm(folder, { recursive: true, force: true });
  return {
    async withSession(use) {
      const session = await openSession(graphPath, { threads });
      try {
        return await use((encoding) => session.run(packRun([encoding], inputs)));
      } finally {
        await session.dispose();
      }
    },
    async keep() {
      for (const file of await readdir(folder)) await rename(path.join(folder, file), path.join(outputFolder, file));
      await remove();
      return path.join(outputFolder, path.basename(graphPath));
    },
    remove,
  };
}
