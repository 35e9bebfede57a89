/** The system's code of a failed file operation (`ENOENT`, `EACCES`), or `unknown error`. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';
}
