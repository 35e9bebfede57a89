import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { projectFile } from './project-file.ts';

export interface Query {
  /** The panel or the alert that it belongs to. */
  readonly of: string;
  readonly expression: string;
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
}

interface AlertRules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

/** Grafana puts a duration there. */
const GRAFANA_INTERVAL = '$__rate_interval';

/** All queries of the dashboard and of the alert rules. */
export function readQueries(): readonly Query[] {
  const dashboard: Dashboard = JSON.parse(readFileSync(projectFile('deploy/grafana/infinity-ts.json'), 'utf8'));
  const rules: AlertRules = parse(readFileSync(projectFile('deploy/prometheus/alerts.yml'), 'utf8'));
  return [
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ of: title, expression: expr.replaceAll(GRAFANA_INTERVAL, '5m') })),
    ),
    // `label_values(SELECTOR, LABEL)` is Grafana's own function.
    ...dashboard.templating.list.flatMap(({ name, definition = '' }) => {
      const [, selector] = /^label_values\((.*), \w+\)$/.exec(definition) ?? [];
      return selector === undefined ? [] : [{ of: `variable ${name}`, expression: selector }];
    }),
    ...rules.groups.flatMap(({ rules: each }) => each.map(({ alert, expr }) => ({ of: alert, expression: expr }))),
  ];
}

export interface Selector {
  readonly series: string;
  /** Label -> what it is compared with, a pattern split at `|`. */
  readonly matchers: readonly (readonly [label: string, values: readonly string[]])[];
}

export interface QueryParts {
  /** Where the expression is no PromQL. */
  readonly errors: readonly string[];
  readonly selectors: readonly Selector[];
  /** Labels that results are grouped or matched by. */
  readonly grouped: readonly string[];
}

export function partsOf(expression: string): QueryParts {
  const errors: string[] = [];
  const selectors: Selector[] = [];
  const grouped: string[] = [];
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter({ name, type, from, node }) {
      if (type.isError) errors.push(`at ${from}: ${expression.slice(from)}`);
      if (name === 'GroupingLabels') grouped.push(...node.getChildren('LabelName').map(textOf));
      if (name !== 'VectorSelector') return;
      const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      selectors.push({
        series: node.getChildren('Identifier').map(textOf).join(),
        matchers: matchers.map((matcher) => [
          matcher.getChildren('LabelName').map(textOf).join(),
          matcher.getChildren('StringLiteral').map(textOf).join().slice(1, -1).split('|'),
        ]),
      });
    },
  });
  return { errors, selectors, grouped };
}
