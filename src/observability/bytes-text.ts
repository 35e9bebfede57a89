const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `133.5 MB`: in powers of 1000, as the hub shows sizes. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
