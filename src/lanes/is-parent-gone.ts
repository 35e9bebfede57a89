/** Whether the process that started this one has ended. On Windows `process.ppid` keeps naming a dead parent. */
export function isParentGone(parentPid: number): boolean {
  if (process.platform !== 'win32') return process.ppid !== parentPid;
  try {
    process.kill(parentPid, 0);
    return false;
  } catch {
    return true;
  }
}
