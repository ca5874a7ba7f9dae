import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { post } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const PAUSED = { START_PAUSED: 'true' };

describe(`START_PAUSED, queue on ${queueKind()}`, () => {
  let sink: SmtpSink;
  let api: RunningHost;
  let worker: RunningHost;
  let ids: string[];

  const pauses = () =>
    api.query<{ scope: string; since: Date; reason: string }>(
      'SELECT scope, since, reason FROM nestjs_emails.pauses ORDER BY since',
    );
  const health = async () => (await worker.request<{ status: string; paused?: string[] }>('GET', '/health/ready')).body;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    api = await startHost({ role: 'api', smtp: sink });
    ids = [];
    for (let n = 0; n < 10; n++) ids.push(await post(api, `restored${n}@to.test`));
    worker = await startHost({ role: 'worker', beside: api, smtp: sink, env: PAUSED });
  });

  it('sends nothing that was waiting, says so in health and log, and accepts emails', async () => {
    ids.push(await post(api, 'new@to.test'));
    await until(
      async () =>
        (await api.query("SELECT FROM nestjs_emails.deliveries WHERE due_at = 'infinity'")).length === ids.length,
    );
    expect(sink.messages).toEqual([]);
    expect(await health()).toMatchObject({ paused: ['everything'] });
    expect(worker.output).toMatch(
      /"level":"warn".*"msg":"Paused: all mail\. Emails are accepted and wait\. START_PAUSED"/,
    );
    const { body } = await api.request('GET', `/emails/${ids[0]}`);
    expect(body).toMatchObject({ last_event: 'queued', held: { reason: 'START_PAUSED' } });
  });

  it('keeps a pause that is there, after a restart', async () => {
    const before = await pauses();
    await worker.restart();
    expect(await pauses()).toEqual(before);
    expect(before).toEqual([{ scope: 'all', since: expect.any(Date), reason: 'START_PAUSED' }]);
    expect(worker.output).toMatch(/"msg":"Paused since 20\S+: all mail\. START_PAUSED"/);
    expect(sink.messages).toEqual([]);
  });

  it('is not in health without a pause', async () => {
    const other = await startHost({ smtp: sink });
    expect((await other.request<object>('GET', '/health/ready')).body).not.toHaveProperty('paused');
  });
});
