import { COMPATIBILITY_SETTINGS } from './groups/compatibility.ts';
import { LIFECYCLE_SETTINGS } from './groups/lifecycle.ts';
import { LIMITS_SETTINGS } from './groups/limits.ts';
import { LOGGING_SETTINGS } from './groups/logging.ts';
import { MODELS_SETTINGS } from './groups/models.ts';
import { SERVER_SETTINGS } from './groups/server.ts';
import { VECTOR_CACHE_SETTINGS } from './groups/vector-cache.ts';
import type { SettingEntry } from './setting-entry.ts';

/**
 * Every setting, once, by its group. Flags, environment names, the help, the reference page and the types of the parsed values
 * derive from it; the key is the property that holds the value.
 */
export const SETTINGS = {
  ...MODELS_SETTINGS,
  ...SERVER_SETTINGS,
  ...LIMITS_SETTINGS,
  ...LIFECYCLE_SETTINGS,
  ...VECTOR_CACHE_SETTINGS,
  ...LOGGING_SETTINGS,
  ...COMPATIBILITY_SETTINGS,
} as const satisfies Record<string, SettingEntry>;

export const SETTING_ENTRIES: readonly SettingEntry[] = Object.values(SETTINGS);
