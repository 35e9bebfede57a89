import { defaultTextMapGetter, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FinishedRequest, RequestObserver } from '../../contracts/finished-request.ts';
import type { Logger } from '../../contracts/logger.ts';
import { type RequestSpan, requestSpans } from './request-spans.ts';

/** What traces are called when `OTEL_SERVICE_NAME` says nothing. */
const SERVICE_NAME = 'infinity-ts';

export interface Traces {
  readonly observer: RequestObserver;
  /** Sends the spans that wait; never rejects. */
  close(): Promise<void>;
}

export interface TracesOptions {
  readonly version: string;
  readonly logger: Logger;
}

/**
 * Spans of requests, sent to a collector by OTLP over HTTP in protobuf. The SDK reads the rest of its settings from the
 * environment, by the names that OpenTelemetry gives them: endpoint, headers, sampler, batches. Spans wait in a bounded queue;
 * a collector that is slow or gone costs the spans and nothing else.
 */
export function openTraces({ version, logger }: TracesOptions): Traces {
  setGlobalErrorHandler(warnOnce(logger));
  const named = resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer(SERVICE_NAME, version);
  const propagator = new W3CTraceContextPropagator();

  function observer(request: FinishedRequest): void {
    const spans = requestSpans(request);
    if (spans === undefined) return;
    const { traceparent, tracestate } = request;
    const caller = propagator.extract(ROOT_CONTEXT, { traceparent, tracestate }, defaultTextMapGetter);
    const root = tracer.startSpan(spans.root.name, { ...begun(spans.root), kind: SpanKind.SERVER }, caller);
    const within = trace.setSpan(caller, root);
    for (const stage of spans.stages) end(tracer.startSpan(stage.name, begun(stage), within), stage);
    if (spans.failed) root.setStatus({ code: SpanStatusCode.ERROR });
    end(root, spans.root);
  }

  return { observer, close: () => provider.shutdown().catch(() => undefined) };
}

function begun({ startMs, attributes }: RequestSpan) {
  return { startTime: epochMs(startMs), attributes };
}

function end(span: Span, { endMs }: RequestSpan): void {
  span.end(epochMs(endMs));
}

/** From the clock of `performance.now()`. */
function epochMs(ms: number): number {
  return performance.timeOrigin + ms;
}

/** A collector that is gone fails every few seconds: once is enough for whoever looks. */
function warnOnce(logger: Logger): (error: unknown) => void {
  let warned = false;
  return (error) => {
    const reason = typeof error === 'string' ? error : String(Reflect.get(Object(error), 'message'));
    logger[warned ? 'debug' : 'warning']('Traces could not be sent to the collector.', { reason });
    warned = true;
  };
}
