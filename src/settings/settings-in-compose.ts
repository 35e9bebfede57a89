import { replaceGenerated } from './replace-generated.ts';
import type { SettingEntry } from './setting-entry.ts';
import { environmentNameOf } from './setting-entry.ts';
import { defaultText } from './setting-text.ts';

/** The compose file with the settings as commented variables; those that change nothing are left out. */
export function withSettingsInCompose(compose: string, entries: readonly SettingEntry[]): string {
  return replaceGenerated(compose, (before, indent) =>
    entries
      .filter((entry) => entry.ignored === undefined && !before.includes(`${environmentNameOf(entry)}:`))
      .map((entry) => `${indent}# ${environmentNameOf(entry)}: "${shownDefault(entry)}"  # ${entry.description}`),
  );
}

/** Empty where there is no default: an empty variable counts as unset. */
function shownDefault(entry: SettingEntry): string {
  return entry.default === undefined || entry.default === '' ? '' : defaultText(entry);
}
