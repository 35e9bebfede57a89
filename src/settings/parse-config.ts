import { invalidSetting } from './invalid-setting.ts';
import { nearestName } from './nearest-name.ts';
import type { ConfigValues } from './read-option.ts';
import { readYaml } from './read-yaml.ts';
import { SETTING_ENTRIES, SETTINGS } from './schema.ts';
import type { SettingEntry } from './setting-entry.ts';

const MODELS = 'models';
/** A file cannot name another one. */
const ENTRIES = new Map(
  SETTING_ENTRIES.filter((entry) => entry !== SETTINGS.configFile).map((entry) => [entry.option, entry]),
);

/**
 * A configuration file: option names with their values, and under `models` a list of models with theirs. Names may be
 * written with `_` or `-`. `source` is its path. Throws `invalid_settings`.
 */
export function parseConfig(text: string, source: string): ConfigValues {
  const content = asMap(readYaml(text, source) ?? {}, source, 'setting names with their values');
  const { [MODELS]: rows, ...rest } = content;
  const common = readMap(rest, source, () => true);
  if (rows === undefined) return { source, common, models: undefined };
  if (!Array.isArray(rows) || rows.length === 0) {
    throw invalidSetting(source, `expected a list of models under '${MODELS}', got ${kindOf(rows)}`);
  }
  const models = rows.map((row: unknown, index) => {
    const where = `${source}, model ${index + 1}`;
    const values = readMap(asMap(row, where, 'settings'), where, ({ scope }) => scope === 'model');
    if (values[SETTINGS.modelId.option] === undefined) {
      throw invalidSetting(where, `expected '${SETTINGS.modelId.option}', got a model without one`);
    }
    return values;
  });
  return { source, common, models };
}

function readMap(
  values: Readonly<Record<string, unknown>>,
  source: string,
  belongs: (entry: SettingEntry) => boolean,
): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [written, value] of Object.entries(values)) {
    const option = written.replaceAll('_', '-');
    const entry = ENTRIES.get(option);
    if (entry === undefined) {
      const nearest = nearestName(option, [...ENTRIES.keys(), MODELS]);
      const hint = nearest === undefined ? '' : ` (did you mean '${nearest}'?)`;
      throw invalidSetting(source, `expected the name of a setting, got '${written}'${hint}`);
    }
    if (!belongs(entry))
      throw invalidSetting(source, `'${written}' is a setting of the server, expected it outside of '${MODELS}'`);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      throw invalidSetting(source, `expected one value for '${written}', got ${kindOf(value)}`);
    }
    read[option] = String(value);
  }
  return read;
}

function asMap(value: unknown, source: string, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value));
  throw invalidSetting(source, `expected ${what}, got ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
