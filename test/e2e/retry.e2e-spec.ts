import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
  sink.onRcpt = (address, count) => {
    if (address.startsWith('never@')) return '451 4.7.1 never';
    const [, reply] = /^put-off-(.+)@/.exec(address) ?? [];
    return reply && count === 1 ? `451 4.7.1 ${reply.replaceAll('_', ' ')}` : undefined;
  };
});

/** Milliseconds from the end of the last attempt to the next. */
async function nextWait(host: RunningHost, id: string): Promise<number> {
  const [row] = await host.query<{ wait: number }>(
    `SELECT extract(epoch FROM d.due_at - a.finished_at)::float8 * 1000 AS wait
     FROM nestjs_emails.deliveries d JOIN nestjs_emails.attempts a USING (email_id) WHERE d.email_id = $1
     ORDER BY a.fence DESC LIMIT 1`,
    [id],
  );
  return row!.wait;
}

describe('without a RETRY_SCHEDULE', () => {
  it('the second attempt comes a good minute after the first, and not all at the same moment', async () => {
    const host = await startHost({ smtp: sink, env: { RETRY_SCHEDULE: undefined } });
    const names = Array.from({ length: 10 }, (_, n) => `put-off-later@to${n}.test`);
    const ids = await Promise.all(names.map((to) => post(host, to)));
    const waits = [];
    for (const id of ids) {
      await untilShown(host, id, 'delivery_delayed');
      waits.push(await nextWait(host, id));
    }
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(59_900);
    expect(Math.max(...waits)).toBeLessThan(67_000);
    expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(1);
  });
});

describe('with a RETRY_SCHEDULE', () => {
  let host: RunningHost;

  beforeAll(async () => {
    host = await startHost({ smtp: sink, env: { RETRY_SCHEDULE: '100ms,300ms,900ms', SMTP_HOP: 'final' } });
  });

  it('each delay follows the schedule, up to a tenth longer', async () => {
    const id = await post(host, 'never@to.test');
    await untilShown(host, id, 'failed');
    const pauses = await host.query<{ pause: number }>(
      `SELECT extract(epoch FROM started_at - lag(finished_at) OVER (ORDER BY fence))::float8 * 1000 AS pause
       FROM nestjs_emails.attempts WHERE email_id = $1 ORDER BY fence OFFSET 1`,
      [id],
    );
    expect(pauses).toHaveLength(3);
    for (const [turn, least] of [100, 300, 900].entries()) {
      expect(pauses[turn]?.pause).toBeGreaterThanOrEqual(least);
      // The sweep alone would find it later than this.
      expect(pauses[turn]?.pause).toBeLessThan(least * 1.1 + host.seconds(0.8));
    }
  });

  it('a longer delay requested by the server is respected', async () => {
    const id = await post(host, 'put-off-try_again_in_2_seconds@asked.test');
    await untilShown(host, id, 'delivery_delayed');
    expect(await nextWait(host, id)).toBeGreaterThanOrEqual(1_950);
    await untilShown(host, id, 'delivered');
    expect(await attemptsOf(host, id)).toHaveLength(2);
    expect(await eventTypes(host, id)).toEqual(['queued', 'delivery_delayed', 'sent', 'delivered']);
  });
});
