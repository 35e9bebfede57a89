import { readdirSync, readFileSync } from 'node:fs';

/** `pid` and all its descendants, from Linux's /proc. */
export function processTree(pid: number): number[] {
  const children: number[] = [];
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim();
      if (text !== '') children.push(...text.split(' ').map(Number));
    }
  } catch {
    // It ended while being looked at.
  }
  return [pid, ...children.flatMap(processTree)];
}

/** Proportional set size of a whole process tree, in bytes: shared pages are counted once. */
export function treePssBytes(pid: number): number {
  let total = 0;
  for (const member of processTree(pid)) {
    try {
      const text = readFileSync(`/proc/${member}/smaps_rollup`, 'utf8');
      total += Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
    } catch {
      // It ended while being looked at.
    }
  }
  return total;
}

/** True while a process of this id exists that is not a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ids of the inference processes under `pid`. */
export function lanePids(pid: number): number[] {
  return processTree(pid).filter((member) => {
    try {
      return member !== pid && /lane/.test(readFileSync(`/proc/${member}/cmdline`, 'utf8'));
    } catch {
      return false;
    }
  });
}

/** Resolves once `condition` holds; rejects after `timeoutMs`. */
export async function eventually(condition: () => boolean | Promise<boolean>, timeoutMs = 5000): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`The condition did not hold within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
