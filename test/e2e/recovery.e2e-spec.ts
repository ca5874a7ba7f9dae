import pg from 'pg';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { attemptsOf, eventTypes, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final', SWEEP_INTERVAL: undefined } });
});

beforeEach(() => sink.reset());

/** Copies accepted by the sink, by email. */
function copies(): Map<string, number> {
  const found = new Map<string, number>();
  for (const { raw } of sink.messages) {
    const id = /^message-id: <([0-9a-f-]{36})@/im.exec(raw.toString())?.[1] ?? '';
    found.set(id, (found.get(id) ?? 0) + 1);
  }
  return found;
}

describe('a killed host', () => {
  it('in the middle of attempts delivers their emails within 15 seconds, with unknown attempts', async () => {
    const hung = new Set<string>();
    const hangAt = (stage: string, to: string) => {
      if (hung.has(to) || to !== `${stage}@${stage}.test`) return undefined;
      hung.add(to);
      return 'hang' as const;
    };
    sink.onRcpt = (address) => hangAt('rcpt', address);
    sink.onData = ({ to }) => hangAt('data', to[0] ?? '');
    sink.onMessage = ({ envelope }) => hangAt('dot', envelope.to[0] ?? '');
    const ids = await Promise.all(['rcpt', 'data', 'dot'].map((stage) => post(host, `${stage}@${stage}.test`)));
    await until(() => hung.size === 3);

    const killed = Date.now();
    await host.kill();
    await host.start();
    for (const id of ids)
      await untilShown(host, id, 'delivered', { timeout: killed + host.recoveryLimit - Date.now() });

    expect(copies()).toEqual(new Map(ids.map((id) => [id, 1])));
    for (const id of ids) {
      expect(await attemptsOf(host, id)).toEqual([
        expect.objectContaining({ finished_at: expect.any(Date), unknown: true, outcomes: null }),
        expect.objectContaining({ unknown: false }),
      ]);
      expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'delivered']);
    }
  });

  it('right after a 200 loses nothing, and sends nothing twice without a record', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, (_, n) => post(host, `to${n}@d${n % 7}.test`)));
    const killed = Date.now();
    await host.kill();
    await host.start();
    await untilSettled(host, ids, { timeout: killed + host.recoveryLimit - Date.now() });

    const arrived = copies();
    for (const id of ids) {
      const unknown = (await attemptsOf(host, id)).filter((attempt) => attempt.unknown).length;
      expect(arrived.get(id)).toBeGreaterThanOrEqual(1);
      expect(arrived.get(id)).toBeLessThanOrEqual(1 + unknown);
      expect((await eventTypes(host, id)).at(-1)).toBe('delivered');
    }
  });

  it('between taking a job and leasing its email delivers it within 15 seconds', async () => {
    const id = await post(host, 'to@to.test', { scheduled_at: new Date(Date.now() + host.seconds(0.5)).toISOString() });
    const blocker = new pg.Client(host.databaseUrl);
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE nestjs_emails.deliveries IN EXCLUSIVE MODE');
      const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await until(async () => (await host.query(`SELECT pid ${waiting}`)).length > 0);
      const killed = Date.now();
      await host.kill();
      // Ends statements that the server still runs for the lost client.
      await host.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
      await blocker.query('ROLLBACK');
      expect(
        await host.query('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 AND fence = 0', [id]),
      ).toHaveLength(1);
      await host.start();
      await untilShown(host, id, 'delivered', { timeout: killed + host.recoveryLimit - Date.now() });
    } finally {
      await blocker.end();
    }
    expect(await attemptsOf(host, id)).toHaveLength(1);
    expect(copies()).toEqual(new Map([[id, 1]]));
  });
});
