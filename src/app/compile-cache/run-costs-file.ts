import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunCosts } from '../../scheduling/run-costs.ts';

/** Beside the graph that they were measured with. Its key holds the machine's abilities; the number of threads is in the name. */
function costsPath(graphPath: string, threads: number): string {
  return path.join(path.dirname(graphPath), `run-costs-${threads}.json`);
}

/** The costs that an earlier start has measured; `undefined` when there are none or they make no sense. */
export async function readRunCosts(graphPath: string, threads: number): Promise<RunCosts | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(costsPath(graphPath, threads), 'utf8'));
    if (typeof found !== 'object' || found === null) return undefined;
    const { fixedMs, msPerToken, msPerPair } = found as Partial<Record<keyof RunCosts, unknown>>;
    const isCost = (value: unknown): value is number => typeof value === 'number' && value >= 0;
    if (!isCost(fixedMs) || !isCost(msPerToken) || !isCost(msPerPair)) return undefined;
    return fixedMs > 0 && msPerToken > 0 ? { fixedMs, msPerToken, msPerPair } : undefined;
  } catch {
    return undefined;
  }
}

/** A cache that may only be read keeps none: they are measured again at the next start. */
export async function writeRunCosts(graphPath: string, threads: number, costs: RunCosts): Promise<void> {
  await writeFile(costsPath(graphPath, threads), `${JSON.stringify(costs)}\n`).catch(() => undefined);
}
