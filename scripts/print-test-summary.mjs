// Prints `N passed, N failed` from Vitest's JSON report and the counts of the Python clients, where they have run; files
// that failed to load count as failed.
import { existsSync, readFileSync } from 'node:fs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const report = readJson(process.argv[2] ?? 'test-results/vitest.json');
const clients =
  process.argv[3] !== undefined && existsSync(process.argv[3])
    ? readJson(process.argv[3])
    : { passed: 0, failed: 0, skipped: 0 };
const emptyFailures = report.testResults.filter(
  (file) => file.status === 'failed' && file.assertionResults.length === 0,
);
const passed = report.numPassedTests + clients.passed;
const failed = report.numFailedTests + emptyFailures.length + clients.failed;
const skipped = report.numPendingTests + report.numTodoTests + clients.skipped;
const counts = [`${passed} passed`, `${failed} failed`];
if (skipped > 0) counts.push(`${skipped} skipped`);
console.log(counts.join(', '));
