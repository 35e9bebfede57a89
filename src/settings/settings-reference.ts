import type { SettingEntry } from './setting-entry.ts';
import { environmentNameOf, flagOf } from './setting-entry.ts';
import { defaultText, valuesText } from './setting-text.ts';

const INTRODUCTION = `# Settings

Generated from \`src/settings/schema.ts\`; change it there and run \`node scripts/generate-settings-reference.mjs\`.

Each setting has a flag of \`infinity serve\` and an environment variable. A flag goes before the environment, the
environment before the default. An empty environment variable counts as unset.

Settings marked *per model* take one value for all models or one for each, in the order of the model ids. Repeat the
flag (\`--model-id a --model-id b\`), or separate the values by \`;\` in the environment (\`INFINITY_MODEL_ID="a;b"\`).
`;

/** The reference page, in Markdown. */
export function settingsReference(entries: readonly SettingEntry[]): string {
  const groups = [...new Set(entries.map((entry) => entry.group))];
  const sections = groups.map((group) =>
    section(
      group,
      entries.filter((entry) => entry.group === group),
    ),
  );
  return [INTRODUCTION, ...sections].join('\n');
}

function section(group: string, entries: readonly SettingEntry[]): string {
  return `## ${group}\n\n${entries.map(item).join('\n')}`;
}

function item(entry: SettingEntry): string {
  const flag = entry.kind === 'boolean' ? `${flagOf(entry)}\`, \`--no-${entry.option}` : flagOf(entry);
  const scope = entry.scope === 'model' ? ' *Per model.*' : '';
  const lines = [
    `### \`${flag}\`, \`${environmentNameOf(entry)}\``,
    '',
    `${entry.description}.${scope}`,
    '',
    `- Values: ${valuesText(entry)}${unsupportedText(entry)}`,
    `- Default: ${defaultText(entry)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function unsupportedText(entry: SettingEntry): string {
  if (entry.kind !== 'choice' || entry.unsupported === undefined) return '';
  return ` (not in this version: ${entry.unsupported.join(', ')})`;
}
