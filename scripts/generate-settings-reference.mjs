// Writes docs/reference/settings.md from the settings schema of the built package. With --check it writes nothing and
// exits 1 when the page is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTING_ENTRIES } from '../dist/settings/schema.js';
import { settingsReference } from '../dist/settings/settings-reference.js';

const page = fileURLToPath(new URL('../docs/reference/settings.md', import.meta.url));
const text = settingsReference(SETTING_ENTRIES);

function currentText() {
  try {
    return readFileSync(page, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

if (process.argv.includes('--check')) {
  if (currentText() !== text) {
    console.error('docs/reference/settings.md is stale: run npm run generate');
    process.exitCode = 1;
  }
} else {
  mkdirSync(new URL('../docs/reference/', import.meta.url), { recursive: true });
  writeFileSync(page, text);
}
