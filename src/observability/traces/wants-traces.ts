/** Whether the environment names a collector, by OpenTelemetry's own names, and does not switch traces off. */
export function wantsTraces(environment: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string) => (environment[name] ?? '').trim() !== '';
  const isOff =
    environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true' ||
    environment.OTEL_TRACES_EXPORTER?.toLowerCase() === 'none';
  return !isOff && (isSet('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || isSet('OTEL_EXPORTER_OTLP_ENDPOINT'));
}
