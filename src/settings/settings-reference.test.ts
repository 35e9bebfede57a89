import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTING_ENTRIES } from './schema.ts';
import { environmentNameOf, flagOf } from './setting-entry.ts';
import { settingsReference } from './settings-reference.ts';

test('docs/reference/settings.md is fresh (else: npm run build && node scripts/generate-settings-reference.mjs)', () => {
  const page = readFileSync(new URL('../../docs/reference/settings.md', import.meta.url), 'utf8');
  expect(page).toBe(settingsReference(SETTING_ENTRIES));
});

test('the reference names the flag and the variable of every setting', () => {
  const page = settingsReference(SETTING_ENTRIES);
  for (const entry of SETTING_ENTRIES) {
    expect(page).toContain(`\`${flagOf(entry)}\`, \`${environmentNameOf(entry)}\``);
  }
});
