import { expect, test } from 'vitest';
import { fitIds } from './fit-ids.ts';

const ids = (...values: number[]) => Int32Array.from(values);
const gap = (...values: number[]) => ({ ids: ids(...values), typeIds: new Int32Array(values.length) });
/** [CLS] is 101, [SEP] is 102. */
const BERT = { gaps: [gap(101), gap(102)], textTypeIds: [0], count: 2 };
const LLAMA = { gaps: [gap(1), gap()], textTypeIds: [0], count: 1 };

test.each([
  ['ids that fit are left as they are', BERT, [7, 8, 9], { limit: 4, side: 'right' }, [7, 8, 9]],
  ['special tokens at the ends stay', BERT, [101, 7, 8, 9, 102], { limit: 4, side: 'right' }, [101, 7, 8, 102]],
  ['a cut on the left', BERT, [101, 7, 8, 9, 102], { limit: 4, side: 'left' }, [101, 8, 9, 102]],
  ['ids without special tokens get none', BERT, [7, 8, 9, 10, 11], { limit: 4, side: 'right' }, [7, 8, 9, 10]],
  ['only the one that is there stays', BERT, [7, 8, 9, 10, 102], { limit: 4, side: 'right' }, [7, 8, 9, 102]],
  ['a model with no token at the end', LLAMA, [1, 7, 8, 9], { limit: 3, side: 'left' }, [1, 8, 9]],
  ['no limit', BERT, [101, 7, 102], { limit: Number.POSITIVE_INFINITY, side: 'right' }, [101, 7, 102]],
  ['no ids', BERT, [], { limit: 4, side: 'right' }, []],
  ['a single special token', BERT, [101], { limit: 4, side: 'right' }, [101]],
] as const)('%s', (_name, special, given, limits, expected) => {
  const { ids: fitted, typeIds } = fitIds(ids(...given), special, limits);
  expect([...fitted]).toEqual(expected);
  expect(typeIds).toHaveLength(fitted.length);
});
