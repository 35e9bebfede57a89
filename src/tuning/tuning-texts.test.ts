import { expect, test } from 'vitest';
import { CALIBRATION_TEXTS } from './calibration-texts.ts';
import { CHECK_TEXTS } from './check-texts.ts';
import { selectTexts } from './select-texts.ts';

test('no text of the check is one of the calibration', () => {
  const known = new Set(CALIBRATION_TEXTS);
  expect(CHECK_TEXTS.filter((text) => known.has(text))).toEqual([]);
});

test('a small model gets all texts, a large one fewer, spread over all of them', () => {
  const lengths = CALIBRATION_TEXTS.map(() => 30);
  expect(selectTexts(lengths, 1000)).toHaveLength(lengths.length);
  const few = selectTexts(lengths, 3e8);
  expect(few).toHaveLength(24);
  expect(few.at(-1)).toBeGreaterThan(lengths.length * 0.9);
});
