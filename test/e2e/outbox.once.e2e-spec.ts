import type { EventSubscription, SendEmail } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { letter } from '../support/hosts/contract-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Writes down what it is told. */
const handle: EventSubscription['handle'] = async (events, manager) => {
  for (const { event } of events) {
    const id = 'email' in event ? event.emailId : event.data.id;
    await manager.query('INSERT INTO told (account, id, type) VALUES ($1, $2, $3)', [event.accountId, id, event.type]);
  }
};

let host: SmallHost;

const scheduled = letter({ scheduled_at: '2096-11-21T05:26:01Z' }) as unknown as SendEmail;

beforeAll(async () => {
  const options = { delivery: { sweepInterval: 600_000 } };
  host = await SmallHost.prepare(await SmtpSink.start(), options);
  await host.query('CREATE TABLE told (n bigserial, account text, id text, type text)');
  await host.startWith({ subscriptions: [{ name: 'told', accounts: 'chosen', handle: handle.toString() }] });
  for (const account of ['one', 'other']) await subscribe(account, account);
});

function subscribe(accountId: string, key: string): Promise<void> {
  const types = ['scheduled', 'canceled', 'thing.done'];
  return host.run(
    ({ dataSource, ...tools }, given) => dataSource.transaction((manager) => tools.subscribe(manager, given)),
    { subscriber: 'told', key, accountId, types },
  );
}

/** The newest subscription ends, so that its number is one that no transaction sees. */
async function endNewest(): Promise<void> {
  await subscribe('nobody', 'newest');
  await host.run(({ dataSource, unsubscribe }) =>
    dataSource.transaction((manager) => unsubscribe(manager, { subscriber: 'told', key: 'newest' })),
  );
}

const told = async (id: string) => {
  const rows = await host.query<{ type: string }>('SELECT type FROM told WHERE id = $1 ORDER BY n', [id]);
  return rows.map(({ type }) => type).join(' ');
};
const untilTold = (id: string, types = 'thing.done') => until(async () => (await told(id)) === types);

/** Something happens in an account, in a transaction of its own. */
async function happen(account: string, id: string, isolation = 'READ COMMITTED', times = 1): Promise<void> {
  const client = await connect();
  await client.query(`BEGIN ISOLATION LEVEL ${isolation}`);
  await client.query(
    `SELECT nestjs_emails.publish($1, 'thing.done', jsonb_build_object('id', $2::text)) FROM generate_series(1, $3)`,
    [account, id, times],
  );
  await client.query('COMMIT');
  await client.end();
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: host.databaseUrl });
  await client.connect();
  afterFile(() => client.end().catch(() => {}));
  return client;
}

describe('an event of a transaction with one snapshot', () => {
  it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'is told after a dump was restored into a cluster whose transactions have lower numbers (%s)',
    async (isolation) => {
      await endNewest();
      // What a dump keeps of the old cluster is its snapshots.
      await host.query(`UPDATE nestjs_emails.event_subscriptions SET since = '900000000:900000000:'`);
      await happen('one', isolation, isolation);
      await untilTold(isolation);
      const id = await host.run(
        ({ dataSource, emails }, level, given) =>
          dataSource.transaction(level, async (manager) => (await emails.send('one', given, { manager })).id),
        isolation,
        scheduled,
      );
      await untilTold(id, 'scheduled');
    },
  );

  it('is not told to who subscribed after it was recorded, though the old cluster had higher numbers', async () => {
    await host.kill();
    await happen('late', 'before', 'REPEATABLE READ');
    await host.query(`UPDATE nestjs_emails.event_outbox SET xid = '900000000' WHERE account_id = 'late'`);
    await host.query(
      `INSERT INTO nestjs_emails.event_subscriptions (subscriber, key, account_id) VALUES ('told', 'late', 'late')`,
    );
    await host.start();
    await happen('late', 'after');
    await untilTold('after');
    expect(await told('before')).toBe('');
  });

  it('keeps no other account waiting, however many there are of one without subscriptions', async () => {
    await endNewest();
    await happen('crowd', 'crowd', 'REPEATABLE READ', 60_000);
    await Promise.all([happen('other', 'alone'), happen('one', 'undecided', 'REPEATABLE READ')]);
    await Promise.all([untilTold('alone'), untilTold('undecided')]);
  });

  it('is told before what follows in the same email', async () => {
    await endNewest();
    const send = ({ dataSource, emails }: HostTools, given: SendEmail) =>
      dataSource.transaction('REPEATABLE READ', async (manager) => (await emails.send('one', given, { manager })).id);
    const ids = await Promise.all(Array.from({ length: 20 }, () => host.run(send, scheduled)));
    await Promise.all(ids.map((id) => host.run(({ emails }, one) => emails.cancel('one', one), id)));
    await Promise.all(ids.map((id) => untilTold(id, 'scheduled canceled')));
  });
});

describe('an event that is committed late', () => {
  it('is told, though those with higher numbers were told long before', async () => {
    const late = await connect();
    await late.query('BEGIN');
    await late.query(`SELECT nestjs_emails.publish('one', 'thing.done', '{"id": "late"}')`);
    for (const id of ['first', 'second', 'third']) {
      await happen('one', id);
      await untilTold(id);
    }
    await late.query('COMMIT');
    await untilTold('late');
  });
});

describe('an event whose row somebody has locked', () => {
  it('keeps nobody else waiting, and what follows in its email comes after it', async () => {
    const stranger = await connect();
    const id = await host.run(({ emails }, given) => emails.send('one', given).then((sent) => sent.id), scheduled);
    await untilTold(id, 'scheduled');
    await stranger.query('BEGIN');
    // Nothing is handed over, so that the row can be locked before.
    await stranger.query(`SELECT pg_advisory_xact_lock(hashtextextended('told', ${0x6f75_7462}))`);
    await host.run(({ emails }, one) => emails.cancel('one', one), id);
    const holder = await connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM nestjs_emails.event_outbox WHERE email_id = $1 FOR UPDATE', [id]);
    await stranger.query('COMMIT');
    await happen('one', 'not locked');
    await untilTold('not locked');
    expect(await told(id)).toBe('scheduled');
    await holder.query('ROLLBACK');
    await untilTold(id, 'scheduled canceled');
  });
});
