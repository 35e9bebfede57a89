import { expect, test } from 'vitest';
import { DeadlyInputs } from './deadly-inputs.ts';
import { encoding } from './testing/fake-lane.ts';

function underTest() {
  let nowMs = 0;
  return {
    deadly: new DeadlyInputs(() => nowMs),
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

test('the first death makes a suspect, the second is the end of it', () => {
  const { deadly } = underTest();
  expect([deadly.isSuspect(encoding(1)), deadly.refusalOf(encoding(1))]).toEqual([false, undefined]);
  deadly.blame(encoding(1));
  expect([deadly.isSuspect(encoding(1)), deadly.refusalOf(encoding(1))]).toEqual([true, undefined]);
  deadly.blame(encoding(1));
  expect(deadly.refusalOf(encoding(1))).toMatchObject({
    code: 'lane_lost',
    message:
      'An input of 2 tokens has ended the inference process of this model 2 times; it is not tried again for 60 minutes',
  });
});

test('another input, and the same ids with other types, are not meant', () => {
  const { deadly } = underTest();
  deadly.blame(encoding(1));
  expect(deadly.isSuspect(encoding(2))).toBe(false);
  expect(deadly.isSuspect({ ...encoding(1), typeIds: Int32Array.of(0, 1) })).toBe(false);
});

test('a run that ends well clears it', () => {
  const { deadly } = underTest();
  deadly.blame(encoding(1));
  deadly.acquit(encoding(1));
  deadly.blame(encoding(1));
  expect(deadly.refusalOf(encoding(1))).toBeUndefined();
});

test('it is forgotten after an hour', () => {
  const { deadly, pass } = underTest();
  deadly.blame(encoding(1));
  deadly.blame(encoding(1));
  pass(3_599_999);
  expect(deadly.refusalOf(encoding(1))).toBeDefined();
  pass(1);
  expect(deadly.refusalOf(encoding(1))).toBeUndefined();
  deadly.blame(encoding(1));
  expect(deadly.refusalOf(encoding(1))).toBeUndefined();
});

test('no more than 1024 are remembered, the latest', () => {
  const { deadly } = underTest();
  for (let id = 0; id <= 1024; id += 1) deadly.blame(encoding(id));
  expect([0, 1, 1024].map((id) => deadly.isSuspect(encoding(id)))).toEqual([false, true, true]);
});
