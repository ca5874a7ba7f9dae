import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, listed, post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let api: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  api = await startHost({ role: 'api', smtp: sink });
});

describe('ROLE=api', () => {
  it('accepts and lists, and never sends', async () => {
    const id = await post(api, 'to@to.test');
    // Long enough for any worker's sweep.
    await eventually(async () => {
      const overdue = await api.query(
        `SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 AND due_at < clock_timestamp() - interval '3 seconds'`,
        [id],
      );
      expect(overdue).toHaveLength(1);
    });
    expect((await listed(api, id)).last_event).toBe('queued');
    expect(await attemptsOf(api, id)).toEqual([]);
    expect(sink.connections).toBe(0);
  });

  it('has neither an inbox nor an SMTP server', async () => {
    const alone = await startHost({ role: 'api', beside: api });
    expect((await alone.request('GET', '/inbox')).status).toBe(404);
    expect(alone.output).not.toContain('Inbox');
    expect(await alone.stop()).toBe(0);
  });
});

describe('ROLE=worker', () => {
  let worker: RunningHost;

  beforeAll(async () => {
    worker = await startHost({ role: 'worker', beside: api, smtp: sink, env: { SMTP_HOP: 'final' } });
  });

  it('sends emails accepted by others, also before its start', async () => {
    const [{ id }] = (await api.query('SELECT id FROM nestjs_emails.emails LIMIT 1')) as [{ id: string }];
    await untilShown(api, id, 'delivered');
    await untilShown(api, await post(api, 'next@to.test'), 'delivered', { timeout: worker.seconds(2) });
  });

  it.each([
    ['POST', '/emails'],
    ['GET', '/emails'],
    ['GET', '/api-keys'],
    ['GET', '/topics'],
    ['GET', '/webhooks'],
    ['GET', '/inbox'],
  ])('answers %s %s with 404, to every caller', async (method, path) => {
    const body = method === 'POST' ? { from: 'a@from.test', to: 'b@to.test', subject: 'x', text: 'x' } : undefined;
    expect(await worker.request(method, path, { body })).toMatchObject({ status: 404, body: { name: 'not_found' } });
  });

  it('reports its health', async () => {
    expect(await worker.request('GET', '/health/live', { token: null })).toMatchObject({ status: 200 });
    expect(await worker.request('GET', '/health/ready', { token: null })).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { database: 'ok', queue: 'ok' } },
    });
  });

  it('shows no key', () => {
    expect(worker.output).not.toContain('re_');
    expect(worker.output).not.toContain('API key');
  });
});
