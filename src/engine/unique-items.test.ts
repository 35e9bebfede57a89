import { expect, test } from 'vitest';
import { spread, uniqueItems } from './unique-items.ts';

test.each([
  ['nothing', [], [], []],
  ['different texts', ['a', 'b'], ['a', 'b'], [0, 1]],
  ['equal texts', ['a', 'b', 'a', '', 'b', ''], ['a', 'b', ''], [0, 1, 0, 2, 1, 2]],
  ['names of object fields', ['__proto__', 'constructor', '__proto__'], ['__proto__', 'constructor'], [0, 1, 0]],
])('%s', (_name, texts, unique, positions) => {
  expect(uniqueItems(texts)).toEqual({ unique, positions });
  expect(spread(unique, positions)).toEqual(texts);
});

test('a missing result is an error, not a hole', () => {
  expect(() => spread(['a'], [0, 1])).toThrow('Expected a result for text 1, got 1 results');
});

test('lists are equal when their entries are, and never equal to a text', () => {
  const items = [[1, 2], '[1,2]', [1, 2], [12]];
  expect(uniqueItems(items)).toEqual({ unique: [[1, 2], '[1,2]', [12]], positions: [0, 1, 0, 2] });
});
