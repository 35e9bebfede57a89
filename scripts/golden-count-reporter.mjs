// A Vitest reporter that prints how many golden models equal their reference: each has a suite of its own name, in one test
// file or several, and counts when all of its tests have passed.
import { readdirSync } from 'node:fs';

const GOLDEN = new URL('../test/golden/', import.meta.url);

/** Suites of `configs/` say so in their names; those of `public/` are the folder's name alone. */
const GROUPS = { 'public/': '', 'configs/': 'configs/' };

function goldenNames(folder) {
  return readdirSync(new URL(folder, GOLDEN), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => GROUPS[folder] + name);
}

/** `suites`: `{ name, passed }` of each suite that ran. */
export function countGoldens(names, suites) {
  const ran = names.filter((name) => suites.some((suite) => suite.name === name));
  const passed = ran.filter((name) => suites.every((suite) => suite.name !== name || suite.passed));
  return { passed: passed.length, failed: ran.length - passed.length, notRun: names.length - ran.length };
}

export default class GoldenCountReporter {
  onTestRunEnd(testModules) {
    const suites = testModules
      .filter(({ project }) => project.name === 'golden')
      .flatMap(({ children }) => [...children.suites()])
      .map((suite) => ({ name: suite.name, passed: suite.state() === 'passed' }));
    if (suites.length === 0) return;
    const counts = Object.keys(GROUPS).map((folder) => {
      const { passed, failed, notRun } = countGoldens(goldenNames(folder), suites);
      const others = notRun === 0 ? '' : ` (${notRun} not run)`;
      return `${passed} of ${passed + failed + notRun} in ${folder}${others}`;
    });
    console.log(`Golden models equal to their reference: ${counts.join(', ')}.\n`);
  }
}
