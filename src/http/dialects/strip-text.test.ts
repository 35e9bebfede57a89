import { expect, test } from 'vitest';
import { stripText } from './strip-text.ts';

test.each([
  ['', ''],
  ['abc', 'abc'],
  [' \t\n\v\f\r', ''],
  ['  a b  ', 'a b'],
  ['\u001c\u001d\u001e\u001f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000x', 'x'],
  // Not whitespace for Python: byte order mark, zero width space, NUL.
  ['\ufeffx\u200b', '\ufeffx\u200b'],
  ['\0 x \0', '\0 x \0'],
])('%j becomes %j, as with str.strip() of Python', (text, expected) => {
  expect(stripText(text)).toBe(expected);
});
