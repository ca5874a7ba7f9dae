import { eventually, until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const DEMAND = '530 5.7.0 Authentication required';
const FEW = 20;

const WAITS = "last_event = 'delivery_delayed' AND waits_for IS NOT NULL AND attempts = 0";

async function untilAllWait(host: RunningHost, ids: readonly string[]): Promise<void> {
  const sql = `SELECT FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND ${WAITS}`;
  await until(async () => (await host.query(sql, [ids])).length === ids.length, {
    what: WAITS,
    timeout: host.seconds(25),
  });
}

const postFew = (host: RunningHost) => Promise.all(Array.from({ length: FEW }, (_, n) => post(host, `a${n}@to.test`)));

async function expectDegraded(host: RunningHost): Promise<void> {
  await eventually(async () => {
    const { status, text } = await host.request('GET', '/health/ready', { token: null });
    expect([status, text]).toEqual([200, expect.stringContaining('offers no login, or accepts no mail without one')]);
  });
}

describe('a relay that requires a login', () => {
  it('keeps mail waiting without one, reports it in health, and gets all mail once it accepts it', async () => {
    const sink = await SmtpSink.start();
    sink.onMail = () => DEMAND;
    const host = await startHost({ smtp: sink.url, env: { RETRY_SCHEDULE: '10m,10m', SMTP_HOP: 'relay' } });
    const ids = await postFew(host);
    await untilAllWait(host, ids);
    await expectDegraded(host);
    expect(sink.offered).toEqual([]);

    sink.reset();
    for (const id of ids) await untilShown(host, id, 'sent', { timeout: host.seconds(60) });
    expect(await eventTypes(host, ids[0] as string)).toEqual(['queued', 'delivery_delayed', 'sent']);
    expect(sink.messages).toHaveLength(FEW);
  });

  it('keeps mail waiting if it offers none, and receives no message', async () => {
    const sink = await SmtpSink.start();
    let senders = 0;
    sink.onMail = () => {
      senders += 1;
      return undefined;
    };
    const host = await startHost({
      smtp: sink.url.replace('//', '//user:canary@'),
      env: { RETRY_SCHEDULE: '10m,10m' },
    });
    const ids = await postFew(host);
    await untilAllWait(host, ids);
    await expectDegraded(host);
    expect(senders).toBe(0);
    expect(host.output).toContain('ENOLOGIN');
    expect(host.output).not.toContain('canary');
  });
});
