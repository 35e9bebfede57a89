import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseSettings } from './parse-settings.ts';
import { SETTING_ENTRIES } from './schema.ts';
import { environmentNameOf, flagOf } from './setting-entry.ts';
import { withSettingsInCompose } from './settings-in-compose.ts';
import { settingsReference } from './settings-reference.ts';

test('docs/reference/settings.md is fresh (else: npm run build && node scripts/generate-settings-reference.mjs)', () => {
  const page = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8');
  expect(page).toBe(settingsReference(SETTING_ENTRIES));
});

test('the settings in deploy/compose/docker-compose.yml are fresh (else: npm run generate)', () => {
  const compose = readFileSync(new URL('../../deploy/compose/docker-compose.yml', import.meta.url), 'utf8');
  expect(withSettingsInCompose(compose, SETTING_ENTRIES)).toBe(compose);
  const { services } = parse(compose);
  expect(Object.keys(services.infinity.environment)).toEqual(['INFINITY_MODEL_ID', 'INFINITY_BATCH_SIZE']);
  const uncommented = parse(compose.replaceAll(/^ {6}# (INFINITY_\w+:)/gm, '      $1'));
  const known = SETTING_ENTRIES.filter((entry) => entry.ignored === undefined).map(environmentNameOf);
  const { environment } = uncommented.services.infinity;
  expect(Object.keys(environment).sort()).toEqual(known.sort());
  expect(() => parseSettings({}, environment)).not.toThrow();
});

test('the reference names the flag and the variable of every setting', () => {
  const page = settingsReference(SETTING_ENTRIES);
  for (const entry of SETTING_ENTRIES) {
    const flags = entry.kind === 'boolean' ? `${flagOf(entry)}\`, \`--no-${entry.option}` : flagOf(entry);
    expect(page).toContain(`\`${flags}\`, \`${environmentNameOf(entry)}\``);
  }
});
