import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { RequestHandler } from 'express';

const tracer = trace.getTracer('nestjs-emails-host');

/**
 * A span for each request, in the caller's trace when it names one (W3C Trace Context). It has the route's pattern, the
 * status and our request id; no path, query, header or address.
 */
export const requestTracing: RequestHandler = (request, response, next) => {
  const parent = propagation.extract(context.active(), request.headers);
  const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
  response.once('close', () => {
    const pattern: unknown = request.route?.path;
    if (typeof pattern === 'string') span.updateName(`${request.method} ${pattern}`);
    span.setAttributes({
      'http.request.method': request.method,
      'http.response.status_code': response.statusCode,
      'emails.request_id': String(response.getHeader('x-request-id')),
      ...(typeof pattern === 'string' && { 'http.route': pattern }),
    });
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(parent, span), next);
};
