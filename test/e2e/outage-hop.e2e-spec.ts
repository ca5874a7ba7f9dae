import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const MANY = 200;
const FEW = 30;
const ADMIN_TOKEN = 'operators-only-0123456789';

let sink: SmtpSink;
let relay: TcpProxy;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  relay = await TcpProxy.start('127.0.0.1', sink.port);
  // An email that uses up its schedule is late for the test.
  const env = { RETRY_SCHEDULE: '10m,10m', SMTP_HOP: 'relay', ADMIN_TOKEN };
  host = await startHost({ smtp: relay.through(sink.url), env });
});

beforeEach(async () => {
  await relay.restore();
  sink.reset();
});

/** To one domain, which has no limit of its own behind a relay. */
const postMany = (name: string, length: number) =>
  Promise.all(Array.from({ length }, (_, n) => post(host, `${name}${n}@to.test`)));

async function counted(condition: string, ids: readonly string[]): Promise<number> {
  const sql = `SELECT count(*)::integer AS count FROM nestjs_emails.deliveries WHERE email_id = ANY($1) AND ${condition}`;
  const [row] = await host.query<{ count: number }>(sql, [ids]);
  return row?.count ?? 0;
}

const untilAll = (condition: string, ids: readonly string[]) =>
  until(async () => (await counted(condition, ids)) === ids.length, { what: condition, timeout: host.seconds(25) });

/** Number of each event per email. */
async function history(ids: readonly string[]): Promise<Record<string, number>> {
  const rows = await host.query<{ story: string; count: number }>(
    `SELECT story, count(*)::integer AS count FROM (
       SELECT string_agg(type, ' ' ORDER BY id) AS story FROM nestjs_emails.events WHERE email_id = ANY($1) GROUP BY email_id
     ) AS stories GROUP BY story`,
    [ids],
  );
  return Object.fromEntries(rows.map(({ story, count }) => [story, count]));
}

/** A number that the host tells its operators. */
async function told(series: string): Promise<number> {
  const { text } = await host.request('GET', '/metrics', { token: ADMIN_TOKEN });
  return Number(new RegExp(`^${series} (.+)$`, 'm').exec(text)?.[1]);
}

const WAITS = "last_event = 'delivery_delayed' AND waits_for IS NOT NULL AND attempts = 0";

describe('a relay that is down', () => {
  it('delays mail without using up attempts; all continues when it is back, once each', async () => {
    await untilShown(host, await post(host, 'before@to.test'), 'sent');
    await relay.refuse();
    const ids = await postMany('during', MANY);
    await untilAll(WAITS, ids);
    expect(await told('emails_next_hop_down')).toBe(1);
    expect(await told('emails_due')).toBe(MANY);
    const age = await told('emails_oldest_due_age_seconds');
    expect(age).toBeGreaterThan(0);
    // In spite of repeated checks.
    await host.query('UPDATE nestjs_emails.deliveries SET due_at = now() WHERE email_id = ANY($1)', [ids]);
    await untilAll(`${WAITS} AND due_at > now() AND fence > 2`, ids);
    expect(await told('emails_oldest_due_age_seconds')).toBeGreaterThan(age);
    expect(await told('emails_due')).toBe(MANY);
    // Repeated checks do not report it again.
    await host.request('POST', `/emails/${ids[1]}/retry`);
    await untilAll(WAITS, ids);

    expect((await host.request('POST', `/emails/${ids[0]}/cancel`)).status).toBe(200);
    expect(await counted('waits_for IS NOT NULL', ids)).toBe(MANY - 1);
    const [canceled, ...sent] = ids as [string, ...string[]];
    await relay.restore();
    await untilAll("last_event = 'sent' AND waits_for IS NULL AND attempts = 1", sent);

    expect(await told('emails_next_hop_down')).toBe(0);
    expect(await told('emails_due')).toBe(0);
    expect(await history(sent)).toEqual({ 'queued delivery_delayed sent': MANY - 1 });
    expect(await eventTypes(host, canceled)).toEqual(['queued', 'delivery_delayed', 'canceled']);
    expect(new Set(sink.messages.map(({ envelope }) => envelope.to[0])).size).toBe(MANY);
    expect(sink.messages).toHaveLength(MANY);
    expect(host.output.match(/could not be given to/g)).toHaveLength(1);
    expect(host.output.match(/accepts mail again/g)).toHaveLength(1);
  });

  it('is noticed again by the successor of a killed worker, and affects no email', async () => {
    await relay.refuse();
    const ids = await postMany('killed', FEW);
    await untilAll(WAITS, ids);
    await host.kill();
    await host.start();
    await until(() =>
      /could not be given to|cannot be given to/.test(host.output.split('accepts mail again').at(-1) ?? ''),
    );
    await untilAll(WAITS, ids);
    await relay.restore();
    await untilAll("last_event = 'sent' AND attempts = 1", ids);
    expect(await history(ids)).toEqual({ 'queued delivery_delayed sent': FEW });
    expect(sink.messages).toHaveLength(FEW);
  });
});

describe('a relay that quotes the addresses it refuses', () => {
  it('stops no mail of others by their words', async () => {
    sink.onRcpt = (address) =>
      /@absent/.test(address) ? `450 4.1.2 <${address}>: Recipient address rejected: Domain not found` : undefined;
    const named = ['absent-one.test', 'absent-two.test'].map(
      (domain) => `"throttling failure try again in 24h"@${domain}`,
    );
    const refused = [await post(host, named), await post(host, named.toReversed())];
    for (const id of refused) await untilShown(host, id, 'delivery_delayed');
    const { body } = await host.request<{ data: { reason_code: string }[] }>('GET', `/emails/${refused[0]}/events`);
    expect(body.data.map(({ reason_code }) => reason_code)).not.toContain('sender_limit');
    await untilShown(host, await post(host, 'victim@to.test'), 'sent', { timeout: host.seconds(10) });
  });
});
