import { expect, test } from 'vitest';
import { chooseDropped } from './choose-dropped.ts';

const resident = (name: string, bytes: number, lastUsedMs: number, isInUse = false) => {
  return { name, bytes, lastUsedMs, isInUse };
};
const old = resident('old', 30, 1);
const recent = resident('recent', 30, 2);
const busy = resident('busy', 30, 0, true);

test.each([
  ['nothing where there is room', [old, recent], 40, []],
  ['the least recently used', [recent, old], 41, ['old']],
  ['as many as it takes', [recent, old], 71, ['old', 'recent']],
  ['one that is in use only when the idle ones are not enough', [busy, recent, old], 61, ['old', 'recent']],
  ['one that is in use, then', [busy, recent, old], 71, ['old', 'recent', 'busy']],
  ['nothing for a model that does not fit even alone', [old], 101, undefined],
])('goes: %s', (_, residents, neededBytes, names) => {
  expect(chooseDropped(residents, neededBytes, 100)?.map(({ name }) => name)).toEqual(names);
});
