import type { SettingEntry } from './setting-entry.ts';

/** What a value looks like, for the help and the reference: `id`, `integer, 0 to 65535`, `float32, auto`. */
export function valuesText(entry: SettingEntry): string {
  switch (entry.kind) {
    case 'string':
      return entry.placeholder;
    case 'integer':
      return entry.max === undefined ? `integer, at least ${entry.min}` : `integer, ${entry.min} to ${entry.max}`;
    case 'choice':
      return Object.keys(entry.choices).join(', ');
    case 'boolean':
      return 'true, false';
  }
}

/** The default in the form in which it could be given in the environment, or in words where there is none. */
export function defaultText(entry: SettingEntry): string {
  if (entry.kind === 'string') {
    if (entry.default === undefined || entry.default === '') return entry.defaultText ?? 'none';
    return typeof entry.default === 'string' ? entry.default : entry.default.join(';');
  }
  return String(entry.default);
}
