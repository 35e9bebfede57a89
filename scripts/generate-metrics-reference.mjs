// Writes docs/reference/metrics.md from the metrics of the built package. With --check it writes nothing and exits 1 when
// the page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METRIC_GROUPS } from '../dist/observability/metrics/metric-groups.js';
import { metricsReference } from '../dist/observability/metrics/metrics-reference.js';

const page = fileURLToPath(new URL('../docs/reference/metrics.md', import.meta.url));
const text = metricsReference(METRIC_GROUPS);
if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
} else if (readFileSync(page, 'utf8') !== text) {
  console.error('docs/reference/metrics.md is stale: run npm run generate');
  process.exitCode = 1;
}
