import { type CST, Parser, parseDocument, YAMLParseError } from 'yaml';
import { invalidSetting } from './invalid-setting.ts';

/** A thousand API keys with all their fields are 200 KB. Guards time: the parser takes a second for 100 KB of brackets. */
const MAX_CHARACTERS = 250_000;
/** The files have three levels. What makes values of them works by recursion, whose end on a full stack ends the process. */
const MAX_LEVELS = 100;

/**
 * The content of a YAML file; `undefined` when it is empty. `source` is its path. Throws `invalid_settings`, with the place
 * and never with the text that is there: it may be a key.
 */
export function readYaml(text: string, source: string): unknown {
  if (text.length > MAX_CHARACTERS) {
    throw invalidSetting(source, `expected at most ${MAX_CHARACTERS} characters of YAML, got ${text.length}`);
  }
  if (levelsOf(text) > MAX_LEVELS)
    throw invalidSetting(source, `expected at most ${MAX_LEVELS} levels of YAML, got more`);
  try {
    // Keys that are not texts are of no use here, and take the parser exponential time. Its own messages quote the text.
    const document = parseDocument(text, { stringKeys: true, prettyErrors: false, logLevel: 'silent' });
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS() ?? undefined;
  } catch (error) {
    // What is no error of the syntax: an alias to nothing, aliases without end.
    const actual = error instanceof YAMLParseError ? `${error.code} in ${placeOf(text, error.pos[0])}` : 'another text';
    throw invalidSetting(source, `expected YAML, got ${actual}`);
  }
}

/** How deep lists and maps lie in each other, by the tokens alone, which are made without recursion. */
function levelsOf(text: string): number {
  let deepest = 0;
  const waiting = Array.from(new Parser().parse(text), (token) => ({ token, level: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const level = next.level + 1;
    deepest = Math.max(deepest, next.level);
    for (const token of tokensIn(next.token)) waiting.push({ token, level });
  }
  return deepest;
}

function tokensIn(token: CST.Token): CST.Token[] {
  const values = 'value' in token ? [token.value] : [];
  const items = 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
  return [...values, ...items].filter((each) => each !== undefined && each !== null);
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
