import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind } from '@opentelemetry/api';
import { afterFile } from '../basics/cleanup.js';

/** A span as OTLP has it in JSON. */
interface SentSpan {
  name: string;
  /** One more than `SpanKind` of the API: 0 is unspecified. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: AnyValue }[];
}

interface AnyValue {
  stringValue?: string;
  intValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: AnyValue[] };
}

export interface ReceivedSpan {
  name: string;
  kind: string;
  traceId: string;
  id: string;
  /** Absent: the span is the root of its trace. */
  parentId: string | undefined;
  attributes: Record<string, unknown>;
}

/** A recording receiver of traces by OTLP over HTTP, with bodies in JSON. It refuses everything else. */
export class OtlpReceiver {
  readonly bodies: string[] = [];
  private readonly server = createServer(async (request, response) => {
    if (!isTraces(request)) return response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.bodies.push(Buffer.concat(chunks).toString());
    return response.setHeader('content-type', 'application/json').end('{}');
  });

  private constructor() {}

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    afterFile(() => receiver.server.close());
    return receiver;
  }

  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get spans(): ReceivedSpan[] {
    return this.bodies.flatMap((body) => {
      const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(received)));
    });
  }
}

function isTraces({ method, url, headers }: IncomingMessage): boolean {
  return method === 'POST' && url === '/v1/traces' && headers['content-type'] === 'application/json';
}

function received(span: SentSpan): ReceivedSpan {
  return {
    name: span.name,
    kind: SpanKind[span.kind - 1] ?? 'unspecified',
    traceId: span.traceId,
    id: span.spanId,
    parentId: span.parentSpanId || undefined,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plain(value)])),
  };
}

function plain({ arrayValue, ...value }: AnyValue): unknown {
  return arrayValue ? arrayValue.values.map(plain) : Object.values(value)[0];
}
