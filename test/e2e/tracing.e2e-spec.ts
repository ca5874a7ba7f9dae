import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/servers/otlp-receiver.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Longer than a test: a wake-up that a sweep repeats has no trace. */
const SWEEP_INTERVAL = '10m';
const CANARY = { from: 'Canary <canary@from.test>', to: 'canary@to.test', subject: 'canary', text: 'canary' };

let receiver: OtlpReceiver;
let sink: SmtpSink;
let api: RunningHost;
let worker: RunningHost;

/** Hosts that send traces to `receiver` and mail to `sink`. */
async function startTraced(): Promise<void> {
  receiver = await OtlpReceiver.start();
  sink = await SmtpSink.start();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, SMTP_HOP: 'final', SWEEP_INTERVAL };
  api = await startHost({ role: 'api', smtp: sink, env });
  worker = await startHost({ role: 'worker', beside: api, smtp: sink, env });
}

async function send(headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await api.request<{ id: string }>('POST', '/emails', { body: CANARY, headers });
  expect(status).toBe(200);
  await untilShown(api, body.id, 'delivered');
  return body.id;
}

/** All spans: they are sent at the end of the process at the latest. */
async function spansAtEnd(): Promise<ReceivedSpan[]> {
  expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
  return receiver.spans;
}

const ofTrace = (spans: readonly ReceivedSpan[], traceId: string | undefined) =>
  spans.filter((span) => span.traceId === traceId);
const traceOf = (spans: readonly ReceivedSpan[], emailId: string) =>
  ofTrace(spans, spans.find(({ attributes }) => attributes['emails.email_id'] === emailId)?.traceId);

/** Names from the span up to the root of its trace. */
function pathOf(span: ReceivedSpan | undefined, spans: readonly ReceivedSpan[]): string[] {
  return span
    ? [
        span.name,
        ...pathOf(
          spans.find(({ id }) => id === span.parentId),
          spans,
        ),
      ]
    : [];
}

/** The spans of a trace with their paths, from the root on. */
function shapeOf(trace: readonly ReceivedSpan[]) {
  return trace
    .map((span) => ({ kind: span.kind, path: pathOf(span, trace) }))
    .sort((a, b) => a.path.length - b.path.length);
}

describe('a traced email', () => {
  const POST = 'POST /emails';
  const PATH = ['emails.attempt', 'emails.deliver', 'emails.accept', POST];

  it("is one trace from POST through the queue to the relay's 250, in which each parent is", async () => {
    await startTraced();
    const ids = [await send(), await send()];
    const spans = await spansAtEnd();
    const traces = ids.map((id) => traceOf(spans, id));
    expect(new Set(traces.map(([first]) => first?.traceId)).size).toBe(2);
    for (const [at, trace] of traces.entries()) {
      expect(shapeOf(trace)).toEqual([
        { kind: 'SERVER', path: [POST] },
        { kind: 'INTERNAL', path: ['emails.accept', POST] },
        { kind: 'CONSUMER', path: ['emails.deliver', 'emails.accept', POST] },
        { kind: 'CLIENT', path: PATH },
      ]);
      expect(trace.filter(({ parentId }) => parentId === undefined)).toMatchObject([{ name: POST }]);
      expect(trace.find(({ name }) => name === 'emails.attempt')?.attributes).toEqual({
        'emails.email_id': ids[at],
        'emails.recipients': 1,
        'emails.transport': `127.0.0.1:${sink.port}`,
        'emails.outcomes': ['accepted'],
        'emails.replies': ['250 2.0.0'],
      });
    }
    // No span of an email is in another trace.
    const ofEmails = spans.filter(({ attributes }) => ids.includes(String(attributes['emails.email_id'])));
    expect(ofEmails).toHaveLength(3 * ids.length);
    expect(receiver.bodies.join()).not.toContain('canary');
  });

  it("stays in the caller's trace, also when it is tried again", async () => {
    await startTraced();
    sink.onMessage = (_, count) => (count === 1 ? '451 4.3.0 Not now, canary' : undefined);
    const caller = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };
    await send({ traceparent: `00-${caller.trace}-${caller.span}-01`, baggage: 'user=canary' });
    const trace = ofTrace(await spansAtEnd(), caller.trace);
    const ends = trace
      .filter(({ name }) => name === 'emails.attempt')
      .map((span) => ({ path: pathOf(span, trace), replies: span.attributes['emails.replies'] }))
      .sort((a, b) => a.path.length - b.path.length);
    expect(ends).toEqual([
      { path: PATH, replies: ['451 4.3.0'] },
      { path: ['emails.attempt', 'emails.deliver', ...PATH.slice(1)], replies: ['250 2.0.0'] },
    ]);
    expect(trace.find(({ name }) => name === POST)?.parentId).toBe(caller.span);
    expect(receiver.bodies.join()).not.toContain('canary');
  });
});

it('a collector that is away, or none at all, changes nothing', async () => {
  sink = await SmtpSink.start();
  for (const url of ['http://127.0.0.1:1', undefined]) {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, SMTP_HOP: 'final' };
    const host = await startHost({ smtp: sink, env });
    await untilShown(host, await post(host, 'to@to.test'), 'delivered');
    expect(await host.stop()).toBe(0);
  }
});
