// The memory of a process and all that it started (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/**
 * @param {number} pid
 * @returns {number[]}
 */
export function processTree(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(processTree)];
}

/**
 * Sum of PSS over the process tree, in MB: pages that several processes share count once.
 *
 * @param {number} pid
 */
export function treeMemoryMb(pid) {
  const kilobytes = processTree(pid).map((member) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${member}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
  );
  return (kilobytes.reduce((sum, value) => sum + value, 0) * 1024) / 1e6;
}
