import { readFileSync } from 'node:fs';
import { ServiceError } from '../contracts/errors.ts';
import { parseSettings } from '../settings/parse-settings.ts';
import type { ConfigValues, Environment, FlagValues } from '../settings/read-option.ts';
import { NO_CONFIG, readOption } from '../settings/read-option.ts';
import { SETTINGS } from '../settings/schema.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { settingWarnings } from '../settings/setting-warnings.ts';

export interface SettingsWithWarnings {
  readonly settings: ServeSettings;
  /** What was given and changes nothing. */
  readonly warnings: readonly string[];
}

/** The settings of all sources; the configuration file is the one that the flag or the environment names. */
export async function readSettings(flags: FlagValues, environment: Environment): Promise<SettingsWithWarnings> {
  const { values, source } = readOption(SETTINGS.configFile, flags, environment);
  const [filePath] = values;
  const config = filePath === undefined ? NO_CONFIG : await readConfig(String(filePath), source);
  return {
    settings: parseSettings(flags, environment, config),
    warnings: settingWarnings(flags, environment, config),
  };
}

async function readConfig(filePath: string, source: string): Promise<ConfigValues> {
  let text: string;
  try {
    text = readFileSync(filePath, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ServiceError('invalid_settings', `${source}: expected a readable file, got ${code} for '${filePath}'`, {
      param: source,
    });
  }
  // Only now: the parser of YAML is a good part of what `--help` would wait for.
  const { parseConfig } = await import('../settings/parse-config.ts');
  return parseConfig(text, filePath);
}
