import { type ApiKey, keyDigest, type RateLimits, SCOPES, type Scope } from '../contracts/api-key.ts';
import { invalidSetting } from './invalid-setting.ts';
import { readYaml } from './read-yaml.ts';

/** All are compared with each request's key, which takes 0.1 ms for so many. */
const MAX_KEYS = 1000;

/** They are in logs: short, and nothing that would have to be quoted there. */
const NAME = /^[\w.@-]{1,64}$/;
/** What can be sent as a bearer token: header values are trimmed, and hold no control characters. */
const KEY = /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u;
/** One to a line, where a blank would be a sign of another format. */
const KEY_IN_LINE = /^[^\s\p{Cc}]+$/u;
const SHA256 = /^[0-9a-f]{64}$/i;

/**
 * The keys of a file. One whose name ends in .yaml or .yml is a list of keys with their names and what they are good for;
 * any other has a key in each line, good for everything and named after it, and comments after `#`. `source` is its path.
 * Throws `invalid_settings`, and never with the text that is there: it may be a key.
 */
export function parseKeyFile(text: string, source: string): readonly ApiKey[] {
  const keys = /\.ya?ml$/i.test(source) ? keysOfYaml(text, source) : keysOfLines(text, source);
  if (keys.length === 0) throw invalidSetting(source, 'expected at least one key, got none');
  if (keys.length > MAX_KEYS) throw invalidSetting(source, `expected at most ${MAX_KEYS} keys, got ${keys.length}`);
  refuseTwins(keys, ({ name }) => name, source);
  refuseTwins(keys, ({ digest }) => Buffer.from(digest).toString('hex'), source);
  return keys;
}

function keysOfLines(text: string, source: string): ApiKey[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const key = line.trim();
    if (key === '' || key.startsWith('#')) return [];
    if (!KEY_IN_LINE.test(key)) {
      const hint = 'the name of a YAML file ends in .yaml';
      throw invalidSetting(
        `${source}, line ${index + 1}`,
        `expected one key without blanks (${hint}), got another text`,
      );
    }
    return [{ name: `line-${index + 1}`, digest: keyDigest(key) }];
  });
}

function keysOfYaml(text: string, source: string): ApiKey[] {
  const rows = readYaml(text, source) ?? [];
  if (!Array.isArray(rows)) throw invalidSetting(source, 'expected a list of keys, got another value');
  return rows.map((row: unknown, index) => keyOfRow(row, `${source}, key ${index + 1}`));
}

const FIELDS = ['name', 'key', 'sha256', 'scopes', 'models', 'requests-per-minute', 'tokens-per-minute'];

function keyOfRow(row: unknown, where: string): ApiKey {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw invalidSetting(where, `expected the fields ${FIELDS.join(', ')}, got another value`);
  }
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(row));
  if (Object.keys(fields).some((field) => !FIELDS.includes(field))) {
    throw invalidSetting(where, `expected no fields but ${FIELDS.join(', ')}, got another one`);
  }
  const { name, scopes, models } = fields;
  const limits = limitsOf(fields, where);
  return {
    name: matching(name, NAME, { where, what: "a name of up to 64 letters, digits and '_', '.', '@', '-'" }),
    digest: digestOf(fields, where),
    ...(scopes === undefined ? {} : { scopes: scopesOf(scopes, where) }),
    ...(models === undefined ? {} : { models: textsOf(models, `${where}, models`) }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function digestOf({ key, sha256 }: Readonly<Record<string, unknown>>, where: string): Uint8Array {
  if ((key === undefined) === (sha256 === undefined)) {
    throw invalidSetting(where, `expected one of key and sha256, got ${key === undefined ? 'none' : 'both'}`);
  }
  if (key !== undefined) return keyDigest(matching(key, KEY, { where, what: 'a key, as a text' }));
  return Buffer.from(matching(sha256, SHA256, { where, what: 'a sha256 of 64 hexadecimal digits, as a text' }), 'hex');
}

function limitsOf(fields: Readonly<Record<string, unknown>>, where: string): RateLimits | undefined {
  const [requests, tokens] = ['requests-per-minute', 'tokens-per-minute'].map((field) => {
    const limit = fields[field];
    if (limit === undefined || (Number.isSafeInteger(limit) && Number(limit) >= 0)) return limit as number | undefined;
    throw invalidSetting(`${where}, ${field}`, 'expected an integer of at least 0, got another value');
  });
  if (requests === undefined && tokens === undefined) return undefined;
  return {
    ...(requests === undefined ? {} : { requestsPerMinute: requests }),
    ...(tokens === undefined ? {} : { tokensPerMinute: tokens }),
  };
}

function scopesOf(value: unknown, where: string): readonly Scope[] {
  return textsOf(value, `${where}, scopes`).map((text) => {
    const scope = SCOPES.find((known) => known === text);
    if (scope === undefined) throw invalidSetting(`${where}, scopes`, `expected ${SCOPES.join(', ')}, got another one`);
    return scope;
  });
}

/** Empty lists are refused: they would look like no limit, and be the narrowest. */
function textsOf(value: unknown, where: string): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [];
  const known = texts.filter((text) => typeof text === 'string');
  if (known.length > 0 && known.length === texts.length) return known;
  throw invalidSetting(where, 'expected a list of texts, got another value');
}

function matching(value: unknown, pattern: RegExp, { where, what }: { where: string; what: string }): string {
  if (typeof value === 'string' && pattern.test(value)) return value;
  throw invalidSetting(where, `expected ${what}, got ${value === undefined ? 'none' : 'another value'}`);
}

function refuseTwins(keys: readonly ApiKey[], identity: (key: ApiKey) => string, source: string): void {
  const seen = new Map<string, ApiKey>();
  for (const key of keys) {
    const twin = seen.get(identity(key));
    if (twin !== undefined) {
      throw invalidSetting(source, `expected keys and names that differ, got '${twin.name}' and '${key.name}'`);
    }
    seen.set(identity(key), key);
  }
}
