// Prints `N passed, N failed` from Vitest's JSON report; files that failed to load count as failed.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2] ?? 'test-results/vitest.json', 'utf8'));
const emptyFailures = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
);
const skipped = report.numPendingTests + report.numTodoTests;
const counts = [`${report.numPassedTests} passed`, `${report.numFailedTests + emptyFailures.length} failed`];
if (skipped > 0) counts.push(`${skipped} skipped`);
console.log(counts.join(', '));
