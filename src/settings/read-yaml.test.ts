import { expect, test } from 'vitest';
import { readYaml } from './read-yaml.ts';

test('an empty file has no content', () => {
  expect([readYaml('', 'f'), readYaml('# nothing', 'f')]).toEqual([undefined, undefined]);
});

// Without the limits each of them takes minutes, or all memory.
test.each([
  ['lists without an end', () => '['.repeat(5000)],
  ['lists in lists', () => '['.repeat(5000) + ']'.repeat(5000)],
  ['complex keys', () => '? '.repeat(1000)],
  ['anchors', () => '&a '.repeat(8000)],
  [
    'aliases of aliases',
    () =>
      `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n')}`,
  ],
  ['very much text', () => 'x'.repeat(250_001)],
])('%s are refused within seconds', (_, text) => {
  expect(() => readYaml(text(), 'f')).toThrow(expect.objectContaining({ code: 'invalid_settings' }));
});
