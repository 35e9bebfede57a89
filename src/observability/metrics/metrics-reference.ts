import type { MetricDefinition } from './metric-definition.ts';
import type { MetricGroup } from './metric-groups.ts';

const INTRODUCTION = `# Metrics

Generated from \`src/observability/metrics/\`; change it there and run \`npm run generate\`.

\`GET /metrics\` replies in Prometheus' text format. Labels only have values that the server chooses: patterns of routes,
served names of models, states. What a client sends is never one. How to scrape and what to watch is in
[observability](../observability.md).

A histogram has the series \`_bucket\` (with the label \`le\`), \`_sum\` and \`_count\`. A series appears with its first event, except those
of models, lanes, stores and processes, which are there from the start.
`;

/** The reference page, in Markdown. */
export function metricsReference(groups: readonly MetricGroup[]): string {
  return [INTRODUCTION, ...groups.map(({ title, metrics }) => `## ${title}\n\n${metrics.map(item).join('\n')}`)].join(
    '\n',
  );
}

function item({ name, kind, labels, help, buckets }: MetricDefinition): string {
  const lines = [`### \`${name}\``, '', help, '', `- Kind: ${kind}`];
  if (labels.length > 0) lines.push(`- Labels: ${labels.map((label) => `\`${label}\``).join(', ')}`);
  if (buckets !== undefined) lines.push(`- Bounds: ${buckets.join(', ')}`);
  return `${lines.join('\n')}\n`;
}
