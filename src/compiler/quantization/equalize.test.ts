import { expect, test } from 'vitest';
import { readWhole } from '../weights/read-whole.ts';
import { equalize, equalizedWeight } from './equalize.ts';
import type { LinearProduct } from './linear-products.ts';

function product(x: string, name: string, values: readonly number[]): LinearProduct {
  const weight = { name, dims: [2, values.length / 2], chunks: () => [Float32Array.from(values)] };
  const node = {
    name: `${x}*${name}`,
    operator: 'MatMul',
    domain: '',
    inputs: [x, name],
    outputs: ['y'],
    attributes: {},
  } as const;
  return { node, x, weight, result: 'y' };
}

const range = (...max: number[]) => ({ min: new Float32Array(max.length), max: Float32Array.from(max) });

test('a large channel is divided by more, and its row of the weight multiplied by it', () => {
  const layer = product('x', 'w', [1, 1, 1, 1]);
  const equalization = equalize([layer], new Map([['x', range(10, 1)]])).get('x');
  if (equalization === undefined) throw new Error('not equalised');
  const [large = 0, small = 0] = equalization.factors;
  expect(large).toBeGreaterThan(small * 3);
  expect([...readWhole(equalizedWeight(layer.weight, equalization))]).toEqual([large, large, small, small]);
});

test('a channel that was never active gets no factor near zero', () => {
  const factors = equalize([product('x', 'w', [1, 1, 1, 1])], new Map([['x', range(10, 0)]])).get('x')?.factors;
  expect((factors?.[0] ?? 0) / (factors?.[1] ?? 1)).toBeLessThan(100);
  expect(factors?.every((factor) => Number.isFinite(factor) && factor > 0)).toBe(true);
});

test('values that meet one weight share their factors', () => {
  const layers = [product('a', 'w', [1, 2, 3, 4]), product('b', 'w', [1, 2, 3, 4]), product('b', 'v', [9, 9, 1, 1])];
  const found = equalize(
    layers,
    new Map([
      ['a', range(1, 5)],
      ['b', range(7, 2)],
    ]),
  );
  expect(found.get('a')).toBe(found.get('b'));
});

test('a value without a range is left out', () => {
  expect(equalize([product('x', 'w', [1, 1, 1, 1])], new Map()).size).toBe(0);
});
