import { eventually, until } from '../support/basics/wait-for.js';
import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, post } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const NOBODY = 'smtp://127.0.0.1:1';

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

const ready = (host: RunningHost) => host.request('GET', '/health/ready', { token: null });

/** Waits for this answer of `GET /health/ready`; the host need not become ready. */
const untilAnswered = (host: RunningHost, expected: object) =>
  eventually(async () => expect(await ready(host)).toMatchObject(expected));

const notReady = (reason: RegExp) => ({
  status: 503,
  headers: { 'retry-after': '5' },
  body: { statusCode: 503, name: 'application_error', message: expect.stringMatching(reason) },
});

describe('GET /health/ready', () => {
  it('names all services of the process', async () => {
    const host = await startHost({ smtp: sink });
    expect(await ready(host)).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', queue: 'ok', transport: 'ok' } },
    });
  });

  it('of an API does not need its queue, but reports its absence; that of a worker does', async () => {
    const api = await startHost({ role: 'api', smtp: sink });
    const worker = await startHost({ role: 'worker', beside: api, smtp: sink });
    expect(await ready(api)).toMatchObject({ body: { status: 'ok', checks: { database: 'ok', queue: 'ok' } } });
    await api.query('ALTER SCHEMA bullmq RENAME TO away');
    await untilAnswered(api, {
      status: 200,
      body: { status: 'degraded', checks: { database: 'ok', queue: expect.stringMatching(/^it answered/) } },
    });
    await untilAnswered(worker, notReady(/^Not ready: queue: it answered/));
    // The API is still useful: accepted emails are delivered later.
    await post(api, 'to@to.test');
    await api.query('ALTER SCHEMA away RENAME TO bullmq');
    await untilAnswered(worker, { status: 200, body: { status: 'ok' } });
  });

  it('of a worker needs the SMTP server; that of a process that also accepts does not', async () => {
    const all = await startHost({ smtp: NOBODY });
    expect(await ready(all)).toMatchObject({
      status: 200,
      body: { status: 'degraded', checks: { transport: 'nothing answers at that address' } },
    });
    const worker = await prepareHost({ role: 'worker', beside: all, smtp: NOBODY });
    const starting = worker.start().catch(() => {});
    await untilAnswered(worker, notReady(/^Not ready: transport: nothing answers at that address\.$/));
    await worker.kill();
    await starting;
  });
});

describe('a host that gets a signal to stop', () => {
  it('reports not ready at once, and finishes its work before it ends', async () => {
    const host = await startHost({ smtp: sink });
    let release: (() => void) | undefined;
    sink.onMessage = () =>
      new Promise((resolve) => {
        release = () => resolve(undefined);
      });
    const id = await post(host, 'to@to.test');
    await until(() => release);
    const stopping = host.stop('SIGTERM');
    await untilAnswered(host, notReady(/^Not ready: process: it is stopping\.$/));
    expect(await host.request('GET', '/health/live', { token: null })).toMatchObject({ status: 200 });
    release?.();
    expect(await stopping).toBe(0);
    expect(await attemptsOf(host, id)).toEqual([expect.objectContaining({ unknown: false })]);
    delete sink.onMessage;
  });

  it('serves for DRAIN_DELAY, so that balancers can remove it', async () => {
    const host = await startHost({ smtp: sink, env: { DRAIN_DELAY: '3s' } });
    const started = performance.now();
    const stopping = host.stop('SIGTERM');
    await untilAnswered(host, notReady(/stopping/));
    await post(host, 'to@to.test');
    expect(await stopping).toBe(0);
    expect(performance.now() - started).toBeGreaterThan(3_000);
  });
});
