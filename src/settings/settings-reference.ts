import type { SettingEntry } from './setting-entry.ts';
import { environmentNameOf, flagOf, isList } from './setting-entry.ts';
import { defaultText, valuesText } from './setting-text.ts';

const INTRODUCTION = `# Settings

Generated from \`src/settings/\`; change it there and run \`npm run generate\`.

Each setting has a flag of \`infinity serve\`, an environment variable and a name in a configuration file. A flag goes
before the environment, the environment before the file, the file before the default. An empty environment variable
counts as unset. An unknown flag or name in the file is an error, an unknown \`INFINITY_*\` variable a warning; both name
the nearest one there is.

Settings marked *per model* take one value for all models or one for each, in the order of the model ids. Repeat the
flag (\`--model-id a --model-id b\`), or separate the values by \`;\` in the environment (\`INFINITY_MODEL_ID="a;b"\`).
A list of the server is given in the same two ways; in a configuration file it has one value.

A configuration file (\`--config infinity.yaml\`) has the names of the flags without the dashes in front; those of a model
may stand under \`models\`, or outside of it for all models:

\`\`\`yaml
port: 7997
batch-size: 32
models:
  - model-id: BAAI/bge-m3
    revision: main
  - model-id: BAAI/bge-reranker-base
    served-model-name: reranker
    batch-size: 8
\`\`\`

Model ids from flags or the environment make the list of the file void.

Exit codes: 0 after a signal, and when \`--preload-only\` is done; 1 when the address cannot be had, after a second
signal, and when \`--preload-only\` was stopped; 2 for a wrong setting; 3 when no model can be loaded.

## The hub's own variables

Models are downloaded as Python's huggingface_hub does it, by the same variables: \`HF_HOME\` or \`HF_HUB_CACHE\` (where the
cache is; \`~/.cache/huggingface/hub\` without them), \`HF_TOKEN\` or a token file (\`HF_TOKEN_PATH\`,
\`$HF_HOME/token\`), \`HF_ENDPOINT\` (a mirror), \`HF_HUB_OFFLINE\` (no request is made), \`HF_HUB_DOWNLOAD_TIMEOUT\`
(seconds of silence before a transfer is continued; 30), and \`HTTPS_PROXY\`, \`HTTP_PROXY\`, \`NO_PROXY\`.
\`INFINITY_HOME\` moves the cache of compiled models, which is else in \`$HF_HOME/.infinity_cache\` or the user's cache folder.

## Where this differs from infinity_emb

- Every boolean takes true, t, 1, yes, y, on and their opposites, also in a list; another word is an error, not false.
- A list of the wrong length, a wrong \`redirect-slash\` and a wrong number are usage errors: exit code 2 and one line, no
  traceback.
- \`trust-remote-code\` is off and does nothing: no code of a repository is ever run.
- \`lengths-via-tokenize\` is always on: \`usage\` counts the tokens that entered the model.
- \`bettertransformer\`, \`compile\` and the settings below *Compatibility* are accepted, with one warning where they ask for
  something else than what happens anyway.
- The default models are the two that ship with the package. The original's default id,
  \`michaelfeil/bge-small-en-v1.5\`, means the same weights as \`BAAI/bge-small-en-v1.5\`, in settings and in requests.
- \`INFINITY_API_KEY\` may hold several keys, of at least 8 characters each, separated by \`;\`. A single key that has a \`;\` in it is
  given by the flag, or in a key file.
- There is no telemetry; \`INFINITY_ANONYMOUS_USAGE_STATS\` and \`DO_NOT_TRACK\` have nothing to switch off.
- \`--preload-only\` opens no port and fails with 3 when one of the models cannot be loaded.
- The deprecated \`v1\` is \`serve\` with \`--model-name-or-path\` for \`--model-id\`.
- \`INFINITY_PORT=tcp://…\`, which Kubernetes sets beside a service named \`infinity\`, is not taken for a port.
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
  const scope = entry.scope === 'model' ? ' *Per model.*' : isList(entry) ? ' *A list.*' : '';
  const ignored = entry.ignored === undefined ? '' : ` *Changes nothing:* ${entry.ignored}.`;
  const lines = [
    `### \`${flag}\`, \`${environmentNameOf(entry)}\``,
    '',
    `${entry.description}.${scope}${ignored}`,
    '',
    `- Values: ${valuesText(entry)}${choiceNotes(entry)}`,
    `- Default: ${defaultText(entry)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function choiceNotes(entry: SettingEntry): string {
  if (entry.kind !== 'choice') return '';
  const replaced = Object.entries(entry.replaced ?? {}).map(([choice, what]) => `${choice} ${what}`);
  const unsupported = entry.unsupported === undefined ? [] : [`not in this version: ${entry.unsupported.join(', ')}`];
  const notes = [...replaced, ...unsupported];
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`;
}
