import { expect, test } from 'vitest';
import { wantsTraces } from './wants-traces.ts';

const URL = 'http://collector:4318';

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: URL }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${URL}/v1/traces` }, true],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: URL }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_SDK_DISABLED: 'TRUE' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: URL, OTEL_SDK_DISABLED: 'false' }, true],
])('%o: %s', (environment, expected) => {
  expect(wantsTraces(environment)).toBe(expected);
});
