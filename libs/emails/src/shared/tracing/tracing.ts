import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** The W3C trace context of a job: `traceparent`, and `tracestate` when there is one. Never anything else. */
export type CarriedTrace = Record<string, string>;

const FIELDS = ['traceparent', 'tracestate'];

/** Does nothing until the host registers an OpenTelemetry SDK. */
const tracer = trace.getTracer('nestjs-emails');

/** The current trace, to continue elsewhere. Undefined without tracing. */
export function carriedTrace(): CarriedTrace | undefined {
  const carrier: CarriedTrace = {};
  propagation.inject(context.active(), carrier);
  // Baggage is not passed on, since its content is unknown.
  const kept = Object.entries(carrier).filter(([name]) => FIELDS.includes(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export interface SpanOptions {
  kind: SpanKind;
  /** No addresses, no content. */
  attributes?: Attributes;
  /** The trace to continue. Default: the current one. */
  parent?: CarriedTrace | undefined;
}

/** Runs `work` within a span that ends with it. */
export function traced<T>(
  name: string,
  { parent, ...options }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const within = parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, parent);
  return tracer.startActiveSpan(name, options, within, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // The error's message may quote a caller's input; its name does not.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown error' });
      throw error;
    } finally {
      span.end();
    }
  });
}
