import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** Timeout of the collector, also when the process stops. Milliseconds. */
const PATIENCE = 3_000;

const OURS = resourceFromAttributes({ 'service.name': 'nestjs-emails', 'service.instance.id': String(process.pid) });

/**
 * Sends traces to an OTLP collector over HTTP. The SDK reads `OTEL_TRACES_SAMPLER` and `OTEL_SERVICE_NAME`.
 *
 * @param endpoint its base address; `/v1/traces` is added
 */
export function startTracing(endpoint: string): NodeTracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    timeoutMillis: PATIENCE,
  });
  const provider = new NodeTracerProvider({
    resource: OURS.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: PATIENCE })],
  });
  provider.register();
  return provider;
}
