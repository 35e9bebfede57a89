import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { countGoldens } from './golden-count-reporter.mjs';

test('a golden model counts when every suite of its name has passed', () => {
  const suites = [
    { name: 'a', passed: true },
    { name: 'a', passed: false },
    { name: 'b', passed: true },
    { name: 'b', passed: true },
    { name: 'something else', passed: false },
  ];
  expect(countGoldens(['a', 'b', 'c', 'd'], suites)).toEqual({ passed: 1, failed: 1, notRun: 2 });
});
