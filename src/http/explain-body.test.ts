import { expect, test } from 'vitest';
import { compileBody } from './compile-body.ts';

const parse = compileBody({
  type: 'object',
  required: ['ids'],
  properties: {
    ids: {
      type: 'array',
      items: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
      maxItems: 100_000,
    },
    texts: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 50_000 }] },
    flag: { type: 'boolean' },
  },
} as const);

function refusalOf(body: object): string {
  try {
    parse(body);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'none';
}

const numbers = (count: number) => new Array<number>(count).fill(5);

test.each([
  ['nothing', { ids: numbers(100_000), texts: new Array(50_000).fill('x') }, 'none'],
  ['too many items, as they were sent', { ids: numbers(3_000_000) }, 'ids: expected at most 100000 items, got 3000000'],
  [
    'too many in one form of a union',
    { ids: [1], texts: new Array(50_001).fill('x') },
    'texts: expected at most 50000 items, got 50001',
  ],
  ['an item far behind', { ids: [...numbers(98_765), 'x'] }, 'ids[98765]: expected an integer or a list, got a string'],
  [
    'one inside an item far behind',
    { ids: [...numbers(98_765), [1, 2, 'x']] },
    'ids[98765][2]: expected an integer, got a string',
  ],
  [
    'another field than the long ones',
    { ids: numbers(90_000), texts: new Array(40_000).fill('x'), flag: 1 },
    'flag: expected true or false, got an integer',
  ],
  [
    'the second of two long lists',
    { ids: numbers(90_000), texts: [...new Array(40_000).fill('x'), 7] },
    'texts[40000]: expected a string, got an integer',
  ],
  ['a field that is missing', { texts: new Array(40_000).fill('x') }, 'ids: this field is required, and it is missing'],
])('it says what is wrong: %s', (_, body, message) => {
  expect(refusalOf(body)).toBe(message);
});

test('a list of a hundred thousand right items and a wrong one is refused soon', () => {
  const body = { ids: [...numbers(99_999), 'x'] };
  const from = performance.now();
  expect(refusalOf(body)).toMatch(/^ids\[99999\]/);
  expect(performance.now() - from).toBeLessThan(250);
});
