import { eventually, until } from '../support/basics/wait-for.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { post } from '../support/reading/deliveries.js';
import { expectRefusal } from '../support/rules/refusals.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const OPTIONS = { quota: { perDay: 10, perMonth: 30 } };
const DAILY = {
  status: 429,
  name: 'daily_quota_exceeded',
  message: /^The quota of this account is 10 recipients a day/,
};
const MONTHLY = {
  status: 429,
  name: 'monthly_quota_exceeded',
  message: /^The quota of this account is 30 recipients a month/,
};

let sink: SmtpSink;
let host: SmallHost;

let sent = 0;
const recipients = (count: number) => Array.from({ length: count }, () => `r${++sent}@to.test`);
const body = (to: readonly string[], fields: object = {}) => ({
  from: 'sender@from.test',
  to,
  subject: 'Hello',
  text: 'Hello',
  ...fields,
});
const send = (count: number, options: { headers?: Record<string, string> } = {}, on = host) =>
  on.request<{ id: string }>('POST', '/emails', { body: body(recipients(count)), ...options });
const batch = (...counts: number[]) =>
  host.request('POST', '/emails/batch', { body: counts.map((count) => body(recipients(count))) });

interface Counts {
  of_day: number;
  of_month: number;
}
const counts = async () =>
  (
    await host.query<Counts>(
      "SELECT of_day::integer, of_month::integer FROM nestjs_emails.quota_counts WHERE account_id = 'one'",
    )
  )[0];
const untilCounted = (ofDay: number, ofMonth = ofDay) =>
  eventually(async () => expect(await counts()).toEqual({ of_day: ofDay, of_month: ofMonth }));
const emails = async () => (await host.query('SELECT FROM nestjs_emails.emails')).length;
const until429 = () => until(async () => (await send(1)).status === 429);

/** Changes the account's counts. A process has read them once it starts. */
async function set(ofDay: number, ofMonth: number, more = ''): Promise<void> {
  await host.kill();
  await host.query(`UPDATE nestjs_emails.quota_counts SET of_day = $1, of_month = $2 ${more}`, [ofDay, ofMonth]);
  await host.start();
}

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await SmallHost.start(sink, OPTIONS);
});

describe(`quotas, queue on ${queueKind()}`, () => {
  it('refuse what goes beyond a day, until the next one', async () => {
    expect((await send(7)).status).toBe(200);
    await untilCounted(7);
    expect((await send(3)).status).toBe(200);
    await untilCounted(10);
    await until429();
    const before = await emails();
    const answer = await send(1);
    expectRefusal(answer, DAILY);
    const seconds = Number(answer.headers['retry-after']);
    const midnight = new Date().setUTCHours(24, 0, 0, 0);
    expect(Math.abs(seconds - (midnight - Date.now()) / 1_000)).toBeLessThan(5);
    expect(await emails()).toBe(before);
  });

  it('count what is accepted for a day on that day alone, and in its month', async () => {
    await set(10, 10, ', day = day - 1');
    expect((await send(10)).status).toBe(200);
    await untilCounted(10, 20);
  });

  it('refuse what goes beyond a month, until the next one', async () => {
    await set(0, 29);
    const answer = await send(2);
    expectRefusal(answer, MONTHLY);
    const now = new Date();
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(Math.abs(Number(answer.headers['retry-after']) - (next - Date.now()) / 1_000)).toBeLessThan(5);
    expect((await send(1)).status).toBe(200);
    await untilCounted(1, 30);
  });

  it('refuse a batch as a whole', async () => {
    await set(7, 7);
    const before = await emails();
    expectRefusal(await batch(2, 2), DAILY);
    expect(await emails()).toBe(before);
    expect((await batch(2, 1)).status).toBe(200);
    await untilCounted(10);
  });

  it('answer a repeated request as before, and do not use up the key of a refused one', async () => {
    await set(9, 9);
    const request = { headers: { 'idempotency-key': 'quota-1' }, body: body(recipients(1)) };
    const first = await host.request<{ id: string }>('POST', '/emails', request);
    await untilCounted(10);
    await until429();
    const again = await host.request('POST', '/emails', request);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true']);
    const refused = { headers: { 'idempotency-key': 'quota-2' }, body: body(recipients(1)) };
    expectRefusal(await host.request('POST', '/emails', refused), DAILY);
    await set(0, 0);
    expect((await host.request('POST', '/emails', refused)).status).toBe(200);
    await untilCounted(1);
  });

  it('keep counting an email that is canceled', async () => {
    await set(0, 0);
    const id = await post(host, recipients(4), { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() });
    await untilCounted(4);
    expect((await host.request('POST', `/emails/${id}/cancel`)).status).toBe(200);
    expect((await send(1)).status).toBe(200);
    await untilCounted(5);
  });

  it('hold for emails that are sent again, and of the host itself', async () => {
    await set(0, 0);
    const id = await post(host, recipients(6));
    await untilCounted(6);
    await host.request('POST', `/emails/${id}/resend`, { body: { recipients: [] } });
    const all = (await host.request<{ data: { address: string }[] }>('GET', `/emails/${id}/recipients`)).body.data;
    const again = { body: { recipients: all.map(({ address }) => address) } };
    await eventually(async () => expectRefusal(await host.request('POST', `/emails/${id}/resend`, again), DAILY));
    const fromCode = (to: readonly string[]) =>
      host.run(
        ({ emails, dataSource }: HostTools, to) =>
          dataSource.transaction(async ({ queryRunner }) => {
            const email = { from: 'sender@from.test', to: [...to], subject: 'Hello', text: 'Hello' };
            return emails
              .send('one', email, { transaction: queryRunner as never })
              .catch((error: { name: string }) => error.name);
          }),
        to,
      );
    expect(await fromCode(recipients(5))).toBe('daily_quota_exceeded');
    expect(await fromCode(recipients(4))).toEqual({ id: expect.any(String) });
    await untilCounted(10);
  });

  it('count what a process accepted right before it died', async () => {
    await set(0, 0);
    expect((await send(10)).status).toBe(200);
    await host.kill();
    await host.start();
    expectRefusal(await send(1), DAILY);
    await untilCounted(10);
  });

  it('are shared by processes', async () => {
    const other = await SmallHost.prepare(sink, OPTIONS, host.database);
    await other.start();
    await set(0, 0);
    expect((await send(4, {}, other)).status).toBe(200);
    await untilCounted(4);
    expect((await send(6)).status).toBe(200);
    await untilCounted(10);
    await eventually(async () => expectRefusal(await send(1, {}, other), DAILY));
    await eventually(async () => expectRefusal(await send(1), DAILY));
    await other.kill();
  });

  it('count nothing without the option', async () => {
    await host.startWith({ options: {} });
    const before = await counts();
    expect((await send(20)).status).toBe(200);
    await host.request('GET', '/emails?limit=1');
    expect(await counts()).toEqual(before);
  });
});
