// Prints `N passed, N failed` of all reports that it is given: Vitest's JSON, in which files that failed to load count as failed,
// and counts of others. Only the first must exist; the others may not have run.
import { existsSync, readFileSync } from 'node:fs';

const [first = 'test-results/vitest.json', ...others] = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const file of [first, ...others.filter(existsSync)]) {
  const counts = countsOf(JSON.parse(readFileSync(file, 'utf8')));
  for (const key of Object.keys(total)) total[key] += counts[key];
}
const parts = [`${total.passed} passed`, `${total.failed} failed`];
if (total.skipped > 0) parts.push(`${total.skipped} skipped`);
console.log(parts.join(', '));

function countsOf(report) {
  if (report.testResults === undefined) return report;
  const unloaded = report.testResults.filter(({ status, assertionResults }) => {
    return status === 'failed' && assertionResults.length === 0;
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
