/**
 * Where a path lies below `--url-prefix`. A version is never doubled: with the prefix `/v1` the bare `/rerank` is at
 * `/v1/rerank`, and what has a version of its own has it in the prefix's place: `/v2/rerank`.
 */
export function prefixedPath(prefix: string, path: string): string {
  if (prefix === '' || prefix === '/') return path;
  return (isVersioned(path) ? prefix.replace(/\/v\d+$/, '') : prefix) + path;
}

/** Whether a path begins with a version: `/v1/rerank`. */
export function isVersioned(path: string): boolean {
  return /^\/v\d+\//.test(path);
}
