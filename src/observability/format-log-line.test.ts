import { expect, test } from 'vitest';
import { formatLogLine } from './format-log-line.ts';

test.each([
  ['a line feed', 'a\nERROR: forged', 'INFO: a\\nERROR: forged\n'],
  ['a carriage return', 'a\rb', 'INFO: a\\rb\n'],
  ['an escape sequence', '\u001b[2Ja', 'INFO: \\u001b[2Ja\n'],
  ['a next-line character', 'a\u0085b', 'INFO: a\\u0085b\n'],
  ['a line separator', 'a\u2028b', 'INFO: a\\u2028b\n'],
  ['other scripts', 'größe 模型 🚀', 'INFO: größe 模型 🚀\n'],
])('a message with %s stays one line', (_name, message, line) => {
  expect(formatLogLine('INFO', message)).toBe(line);
});

test.each([
  ['plain', 'a=plain'],
  ['', 'a=""'],
  ['two words', 'a="two words"'],
  ['x=1', 'a="x=1"'],
  ['say "hi"', 'a="say \\"hi\\""'],
  ['C:\\models', 'a="C:\\\\models"'],
  ['line\nbreak', 'a="line\\nbreak"'],
])('a field value %j can be told apart from what follows', (value, field) => {
  expect(formatLogLine('INFO', 'm', { a: value, b: 1 })).toBe(`INFO: m ${field} b=1\n`);
});
