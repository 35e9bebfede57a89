// Writes docs/reference/settings.md, and the settings in the compose file and in the Helm chart, from the settings schema of the
// built package. With --check it writes nothing and exits 1 when one of them is stale.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTING_ENTRIES } from '../dist/settings/schema.js';
import { withSettingsInCompose } from '../dist/settings/settings-in-compose.js';
import { withSettingsInHelmSchema, withSettingsInHelmValues } from '../dist/settings/settings-in-helm.js';
import { settingsReference } from '../dist/settings/settings-reference.js';

const fileAt = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** File -> what it should hold, given what it holds. */
const GENERATED = {
  'docs/reference/settings.md': () => settingsReference(SETTING_ENTRIES),
  'deploy/compose/docker-compose.yml': (text) => withSettingsInCompose(text, SETTING_ENTRIES),
  'deploy/helm/infinity/values.yaml': (text) => withSettingsInHelmValues(text, SETTING_ENTRIES),
  'deploy/helm/infinity/values.schema.json': (text) => withSettingsInHelmSchema(text, SETTING_ENTRIES),
};

function currentText(name) {
  try {
    return readFileSync(fileAt(name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

mkdirSync(fileAt('docs/reference'), { recursive: true });
for (const [name, make] of Object.entries(GENERATED)) {
  const current = currentText(name);
  const text = make(current);
  if (!process.argv.includes('--check')) {
    writeFileSync(fileAt(name), text);
  } else if (current !== text) {
    console.error(`${name} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
