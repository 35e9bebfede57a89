import { expect, test } from 'vitest';
import { ERROR_TABLE } from '../../src/http/error-table.ts';
import { METRIC_GROUPS } from '../../src/observability/metrics/metric-groups.ts';
import { partsOf, readQueries } from './read-queries.ts';

/** What Prometheus gives every series, and makes itself. */
const OWN_LABELS = ['job', 'instance'];
const OWN_SERIES = ['up'];

const labelsOfSeries = new Map<string, readonly string[]>(OWN_SERIES.map((name) => [name, OWN_LABELS]));
for (const { kind, name, labels } of METRIC_GROUPS.flatMap(({ metrics }) => metrics)) {
  const own = [...labels, ...OWN_LABELS];
  if (kind !== 'histogram') labelsOfSeries.set(name, own);
  else for (const end of ['_bucket', '_sum', '_count']) labelsOfSeries.set(`${name}${end}`, [...own, 'le']);
}

const QUERIES = readQueries();

test('there are queries, for panels, variables and alerts', () => {
  for (const of of ['Duration', 'variable model', 'InfinityOverloaded']) {
    expect(QUERIES).toContainEqual(expect.objectContaining({ of }));
  }
});

test.each(QUERIES)('$of: $expression asks for series and labels that there are', ({ expression }) => {
  const { errors, selectors, grouped } = partsOf(expression);
  expect(errors).toEqual([]);
  for (const { series, matchers } of selectors) {
    expect([...labelsOfSeries.keys()]).toContain(series);
    const labels = matchers.map(([label]) => label);
    expect(labels.filter((label) => labelsOfSeries.get(series)?.includes(label) === false)).toEqual([]);
    const codes = matchers.flatMap(([label, values]) => (label === 'code' ? values : []));
    expect(codes.filter((code) => !Object.hasOwn(ERROR_TABLE, code))).toEqual([]);
  }
  const known = new Set(selectors.flatMap(({ series }) => labelsOfSeries.get(series) ?? []));
  expect(grouped.filter((label) => !known.has(label))).toEqual([]);
});

test('a misspelt name, label or bracket would be noticed', () => {
  expect(partsOf('sum by (modl) (infinity_lanse{stat="lost|x"})')).toEqual({
    errors: [],
    selectors: [{ series: 'infinity_lanse', matchers: [['stat', ['lost', 'x']]] }],
    grouped: ['modl'],
  });
  expect(partsOf('sum(up').errors).not.toEqual([]);
});
