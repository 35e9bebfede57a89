import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** One metric: its series, its line in the reference. Labels only have values that this service chooses, never a client. */
export interface MetricDefinition<Label extends string = string> {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
}

export function counter<const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricDefinition<Label> {
  return { kind: 'counter', name, help, labels };
}

export function gauge<const Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] = [],
): MetricDefinition<Label> {
  return { kind: 'gauge', name, help, labels };
}

export function histogram<const Label extends string = never>(
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): MetricDefinition<Label> {
  return { kind: 'histogram', name, help, labels, buckets };
}

export function openCounter<Label extends string>(registry: Registry, definition: MetricDefinition<Label>) {
  return new Counter<Label>(optionsOf(registry, definition));
}

export function openGauge<Label extends string>(registry: Registry, definition: MetricDefinition<Label>) {
  return new Gauge<Label>(optionsOf(registry, definition));
}

export function openHistogram<Label extends string>(registry: Registry, definition: MetricDefinition<Label>) {
  return new Histogram<Label>({ ...optionsOf(registry, definition), buckets: [...(definition.buckets ?? [])] });
}

function optionsOf<Label extends string>(registry: Registry, { name, help, labels }: MetricDefinition<Label>) {
  return { name, help, labelNames: labels, registers: [registry] };
}
