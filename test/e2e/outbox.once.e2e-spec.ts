import type { EventSubscription, SendEmail } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { letter } from '../support/hosts/contract-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Records received events. */
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

/** Records an event of an account in a separate transaction. */
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

/** Until the returned connection commits, nothing is handed over. */
async function holdUp(): Promise<pg.Client> {
  const stranger = await connect();
  await stranger.query('BEGIN');
  await stranger.query(`SELECT pg_advisory_xact_lock(hashtextextended('told', ${0x6f75_7462}))`);
  return stranger;
}

/** Records many events of an account at once. */
const happenMany = (account: string, count: number) =>
  host.query(
    `SELECT nestjs_emails.publish($1, 'thing.done', jsonb_build_object('id', $1 || n)) FROM generate_series(1, $2) AS n`,
    [account, count],
  );

describe('an event of an account', () => {
  /** Limit of events of others that are handed over first: a few groups. */
  const FEW = 2_000;
  const MANY = 10_000;
  const count = async (account: string) => {
    const [row] = await host.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM told WHERE account = $1',
      [account],
    );
    return row?.count;
  };
  const place = async (id: string) => {
    const [row] = await host.query<{ place: number }>(
      'SELECT count(*)::integer AS place FROM told WHERE n < (SELECT n FROM told WHERE id = $1)',
      [id],
    );
    return row?.place;
  };

  it('is handed over before most of the events that another account has waiting, whose order is kept', async () => {
    await subscribe('large', 'large');
    await host.query('TRUNCATE told');
    const stranger = await holdUp();
    await happenMany('large', MANY);
    await happen('other', 'neighbour');
    await happen('one', 'earlier in the alphabet');
    await stranger.query('COMMIT');
    await Promise.all([untilTold('neighbour'), untilTold('earlier in the alphabet')]);
    expect(await place('neighbour')).toBeLessThan(FEW);
    await until(async () => (await count('large')) === MANY, { timeout: 60_000 });
    const rows = await host.query<{ id: string }>(`SELECT id FROM told WHERE account = 'large' ORDER BY n`);
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: MANY }, (_, index) => `large${index + 1}`));
  }, 120_000);

  it('is handed over before most of the events of many accounts that have more than one group', async () => {
    const accounts = Array.from({ length: 60 }, (_, index) => `many${index}`);
    await host.query(
      `INSERT INTO nestjs_emails.event_subscriptions (subscriber, key, account_id)
       SELECT 'told', account, account FROM unnest($1::text[]) AS account`,
      [accounts],
    );
    await host.query('TRUNCATE told');
    const stranger = await holdUp();
    for (const account of accounts) await happenMany(account, 100);
    await happen('other', 'next to many');
    await stranger.query('COMMIT');
    await untilTold('next to many');
    expect(await place('next to many')).toBeLessThan(FEW);
    await until(async () => (await count('many59')) === 100, { timeout: 60_000 });
  }, 120_000);

  it('is handed over though each event of another account fills a group', async () => {
    await subscribe('long', 'long');
    await host.query('TRUNCATE told');
    const stranger = await holdUp();
    await host.query(
      `SELECT nestjs_emails.publish('long', 'thing.done', jsonb_build_object('id', 'long', 'text', repeat('x', 900000)))
       FROM generate_series(1, 20)`,
    );
    const long = 'x'.repeat(900_000);
    await host.query(
      `SELECT nestjs_emails.publish('other', 'thing.done', jsonb_build_object('id', 'next to long', 'text', $1::text))`,
      [long],
    );
    await stranger.query('COMMIT');
    await untilTold('next to long');
    expect(await place('next to long')).toBeLessThan(5);
    await until(async () => (await count('long')) === 20);
  });
});

describe('an event of a transaction with one snapshot', () => {
  it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'is handed over after a dump was restored into a cluster with lower transaction ids (%s)',
    async (isolation) => {
      await endNewest();
      await happen('one', isolation, isolation);
      await untilTold(isolation);
      const id = await host.run(
        ({ dataSource, emails }, level, given) =>
          dataSource.transaction(
            level,
            async (manager) => (await emails.send('one', given, { transaction: manager })).id,
          ),
        isolation,
        scheduled,
      );
      await untilTold(id, 'scheduled');
    },
  );

  it('is not handed to a later subscriber, though the old cluster had higher numbers', async () => {
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

  it('does not delay other accounts, with many events of one without subscriptions', async () => {
    await endNewest();
    await happen('crowd', 'crowd', 'REPEATABLE READ', 60_000);
    await Promise.all([happen('other', 'alone'), happen('one', 'undecided', 'REPEATABLE READ')]);
    await Promise.all([untilTold('alone'), untilTold('undecided')]);
  });

  it('is handed over before later events of the same email', async () => {
    await endNewest();
    const send = ({ dataSource, emails }: HostTools, given: SendEmail) =>
      dataSource.transaction(
        'REPEATABLE READ',
        async (manager) => (await emails.send('one', given, { transaction: manager })).id,
      );
    const ids = await Promise.all(Array.from({ length: 20 }, () => host.run(send, scheduled)));
    await Promise.all(ids.map((id) => host.run(({ emails }, one) => emails.cancel('one', one), id)));
    await Promise.all(ids.map((id) => untilTold(id, 'scheduled canceled')));
  });
});

describe('an event with a late commit', () => {
  it('is handed over, though later numbers were committed long before', async () => {
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

describe('an event with a locked row', () => {
  it('does not delay others, and later events of its email follow it', async () => {
    const id = await host.run(({ emails }, given) => emails.send('one', given).then((sent) => sent.id), scheduled);
    await untilTold(id, 'scheduled');
    // Nothing is handed over, so that the row can be locked before.
    const stranger = await holdUp();
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
