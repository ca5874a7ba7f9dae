import type { EventSubscription, SendEmail } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { letter } from '../support/hosts/contract-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Records the event, then fails by the table for the email. */
const handle: EventSubscription['handle'] = async (events, manager) => {
  for (const { key, event } of events) {
    const email = 'email' in event ? event.emailId : null;
    await manager.query('INSERT INTO told (key, event, email, type, said) VALUES ($1, $2, $3, $4, $5)', [
      key,
      event.id,
      email,
      event.type,
      JSON.stringify(event),
    ]);
    const [fault]: { kind: string }[] = await manager.query('SELECT kind FROM faults WHERE email = $1', [email]);
    if (fault?.kind === 'throw') throw new Error('canary');
    if (fault?.kind === 'swallow') await manager.query('SELECT 1 / 0').catch(() => {});
    const ends: Record<string, string> = { rollback: 'ROLLBACK', 'new transaction': 'ROLLBACK; BEGIN' };
    const end = ends[fault?.kind ?? ''];
    // Later writes for other emails do not matter here.
    if (end) return void (await manager.query(end));
    if (fault?.kind === 'die') process.kill(process.pid, 'SIGKILL');
  }
};

const EVERYTHING = { name: 'everything', handle: handle.toString() };
const CHOSEN = { name: 'chosen', accounts: 'chosen', handle: handle.toString() };
/** Advisory-lock namespace of the hand-over. */
const HANDING_OVER = 0x6f75_7462;
const OPTIONS = { delivery: { sweepInterval: 500 } };

let host: SmallHost;
let settings: object;

const email = letter() as unknown as SendEmail;
const LATER = new Date(Date.now() + 86_400_000).toISOString();

const send = ({ emails }: HostTools, account: string, given: SendEmail) => emails.send(account, given);
const sendOne = async (account = 'one', fields: object = {}) =>
  (await host.run(send, account, letter(fields) as unknown as SendEmail)).id;

const told = async (id: string, key = '') => {
  const rows = await host.query<{ type: string }>('SELECT type FROM told WHERE email = $1 AND key = $2 ORDER BY id', [
    id,
    key,
  ]);
  return rows.map(({ type }) => type).join(' ');
};
const untilTold = (id: string, types: string, key?: string) => until(async () => (await told(id, key)) === types);
const nothingWaits = () => until(async () => (await host.query('SELECT FROM nestjs_emails.event_outbox')).length === 0);

beforeAll(async () => {
  host = await SmallHost.prepare(await SmtpSink.start(), OPTIONS);
  await host.query(`
    CREATE TABLE told (id bigserial, key text, event bigint, email uuid, type text, said jsonb);
    CREATE TABLE faults (email uuid PRIMARY KEY, kind text)`);
  settings = { subscriptions: [EVERYTHING, CHOSEN] };
  await host.startWith(settings);
});

afterEach(() => host.query('TRUNCATE faults'));

describe('an event subscription', () => {
  it('gets every event once, in order for each email, with the email', async () => {
    const fields = { subject: 'Hello', tags: [{ name: 'a', value: 'b' }], headers: { 'X-Entity': 'c' } };
    const ids = await Promise.all(Array.from({ length: 8 }, () => sendOne('one', fields)));
    await Promise.all(ids.map((id) => untilTold(id, 'queued sent')));
    await nothingWaits();
    const [row] = await host.query<{ said: object }>("SELECT said FROM told WHERE email = $1 AND type = 'queued'", [
      ids[0],
    ]);
    expect(row?.said).toMatchObject({
      accountId: 'one',
      type: 'queued',
      email: { subject: 'Hello', tags: [{ name: 'a', value: 'b' }], headers: [['X-Entity', 'c']] },
    });
    expect(row?.said).not.toHaveProperty('email.text');
  });

  it('of one account gets events recorded from its commit on, until it ends', async () => {
    const change = (name: 'subscribe' | 'unsubscribe', key: string) =>
      host.run(
        ({ dataSource, ...tools }, which, subscription) =>
          dataSource.transaction((manager) => tools[which](manager, subscription)),
        name,
        { subscriber: 'chosen', key, accountId: 'one', types: ['scheduled', 'canceled'] },
      );
    const before = await sendOne('one', { scheduled_at: LATER });
    await change('subscribe', 'key');
    const others = await sendOne('another', { scheduled_at: LATER });
    const id = await sendOne('one', { scheduled_at: LATER });
    await host.run(({ emails }, one) => emails.cancel('one', one), id);
    await untilTold(id, 'scheduled canceled', 'key');

    await host.query("INSERT INTO faults VALUES ($1, 'throw')", [before]);
    await host.run(({ emails }, one) => emails.cancel('one', one), before);
    await change('unsubscribe', 'key');
    await change('subscribe', 'key');
    await host.query('TRUNCATE faults');
    await host.query('UPDATE nestjs_emails.event_outbox SET put_off_until = now() WHERE put_off_until IS NOT NULL');
    await nothingWaits();
    expect([await told(before, 'key'), await told(others, 'key')]).toEqual(['', '']);
    await change('unsubscribe', 'key');
  });

  it.each(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'gets events that an earlier transaction (%s) records after its commit',
    async (isolation) => {
      const key = isolation.replace(' ', '-');
      const id = await host.run(
        ({ dataSource, emails, subscribe }, level, name, given) =>
          dataSource.transaction(level, async (manager) => {
            await manager.query('SELECT count(*) FROM nestjs_emails.emails');
            await dataSource.transaction((other) =>
              subscribe(other, { subscriber: 'chosen', key: name, accountId: 'one', types: ['queued', 'sent'] }),
            );
            return (await emails.send('one', given, { transaction: manager })).id;
          }),
        isolation,
        key,
        email,
      );
      await untilTold(id, 'queued sent', key);
      await untilTold(id, 'queued sent');
    },
  );

  it('that fails for some emails, in any way, gets them again, and all others meanwhile', async () => {
    const kinds = ['throw', 'swallow', 'rollback', 'new transaction'];
    const ids = await Promise.all(kinds.map(() => sendOne('one', { scheduled_at: LATER })));
    await Promise.all(ids.map((id) => untilTold(id, 'scheduled')));
    await host.query('INSERT INTO faults SELECT * FROM unnest($1::uuid[], $2::text[])', [ids, kinds]);
    await Promise.all(ids.map((id) => host.request('POST', `/emails/${id}/cancel`)));
    const others = await Promise.all([sendOne(), sendOne()]);
    await Promise.all(others.map((other) => untilTold(other, 'queued sent')));
    await until(async () => {
      const rows = await host.query(
        'SELECT FROM nestjs_emails.event_outbox WHERE email_id = ANY($1) AND failures > 0',
        [ids],
      );
      return rows.length === ids.length;
    });
    expect(await Promise.all(ids.map((id) => told(id)))).toEqual(ids.map(() => 'scheduled'));
    await host.query('TRUNCATE faults');
    await host.query('UPDATE nestjs_emails.event_outbox SET put_off_until = now() WHERE put_off_until IS NOT NULL');
    await Promise.all(ids.map((id) => untilTold(id, 'scheduled canceled')));
  });

  it('gets the events of a dead process again', async () => {
    const id = await sendOne('one', { scheduled_at: LATER });
    await untilTold(id, 'scheduled');
    await host.query("INSERT INTO faults VALUES ($1, 'die')", [id]);
    const { status } = await host.request('POST', `/emails/${id}/cancel`).catch(() => ({ status: 0 }));
    expect([0, 200]).toContain(status);
    await until(async () => (await host.request('GET', '/emails').catch(() => undefined)) === undefined);
    await host.query('TRUNCATE faults');
    await host.startWith(settings);
    await untilTold(id, 'scheduled canceled');
  });

  it('gets about 1 MB at a time, in which an email counts once, and finally all of it', async () => {
    const calls: EventSubscription['handle'] = async (events, manager) => {
      const emails = new Map(events.map(({ event }) => ['email' in event ? event.emailId : event.id, event]));
      const bytes = [...emails.values()].reduce((sum, event) => sum + JSON.stringify(event).length, 0);
      await manager.query('INSERT INTO calls (events, bytes) VALUES ($1, $2)', [events.length, bytes]);
    };
    await host.query('CREATE TABLE calls (id bigserial, events integer, bytes integer)');
    await host.startWith({ subscriptions: [{ name: 'calls', types: ['scheduled'], handle: calls.toString() }] });
    const other = new pg.Client({ connectionString: host.databaseUrl });
    await other.connect();
    afterFile(() => other.end());
    await other.query('SELECT pg_advisory_lock(hashtextextended($1, $2))', ['calls', HANDING_OVER]);
    const headers = Object.fromEntries(Array.from({ length: 62 }, (_, n) => [`X-${n}`, 'h'.repeat(960)]));
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await sendOne('one', { headers, scheduled_at: LATER }));
    // Fifty more events of the last one.
    await host.query(
      `INSERT INTO nestjs_emails.events (email_id, type, occurred_at)
       SELECT $1, 'scheduled', now() FROM generate_series(1, 50)`,
      [ids.at(-1)],
    );
    await other.query('SELECT pg_advisory_unlock_all()');
    const given = async () => host.query<{ events: number; bytes: number }>('SELECT * FROM calls ORDER BY id');
    await until(async () => (await given()).reduce((sum, { events }) => sum + events, 0) === 90);
    const sizes = (await given()).map(({ bytes }) => bytes);
    expect([sizes.length, Math.max(...sizes) < 1_100_000]).toEqual([3, true]);
    expect((await given()).at(-1)?.events).toBeGreaterThan(50);
  });

  it('without a handler is named at the start, keeps no erased person, and can be removed', async () => {
    await host.startWith({ subscriptions: [CHOSEN] });
    expect(host.output).toMatch(/No subscription of this application handles the events that wait for `everything`/);
    const id = await sendOne();
    await until(async () => (await host.run(({ subscriptions }) => subscriptions.backlog())).length > 0);
    const backlog = await host.run(({ subscriptions }) => subscriptions.backlog());
    expect(backlog).toContainEqual({
      subscriber: 'everything',
      count: expect.any(Number),
      oldestAge: expect.any(Number),
    });
    await host.query(
      `SELECT nestjs_emails.publish('one', 'contact.created', '{"id": "1", "email": "Jane@person.test"}')`,
    );
    expect((await host.request('POST', '/erasures', { body: { email: 'jane@person.test' } })).status).toBe(201);
    const waiting = 'SELECT data FROM nestjs_emails.event_outbox WHERE data IS NOT NULL';
    await until(async () => JSON.stringify(await host.query(waiting)).includes('erased@erased.invalid'));

    await host.run(({ subscriptions }) => subscriptions.remove('everything'));
    await nothingWaits();
    expect(await told(id)).toBe('');
  });
});
