import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { dataSourceOn, libraryRepository, transactingOn } from '../support/reading/library-statements.js';
import { freshDatabase, type OwnDatabase } from '../support/servers/postgres.js';

const MAKE = `
WITH made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, headers, tags, created_at)
  SELECT gen_random_uuid(), 'account', '<' || gen_random_uuid() || '@a.test>', 'a@a.test', '{b@b.test}', '{}', '{}', '{}', 'Hello', '[]', '[]', now()
  FROM generate_series(1, $1::integer)
  RETURNING id
)
INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients)
SELECT id, $2, now(), '[{"address": "b@b.test", "status": "pending"}]' FROM made RETURNING email_id AS id`;
const LONG = 60_000;
const INLINE = 1_000;

interface Held {
  id: string;
  fence: number;
}

let database: OwnDatabase;
/** A worker that writes its statements at once. */
let worker: Awaited<ReturnType<typeof libraryRepository>>;
let stranger: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  worker = await libraryRepository('deliver/delivery.repository', 'DeliveryRepository', dataSourceOn(database.pool));
  stranger = await connect();
});

afterEach(() => stranger.query('ROLLBACK'));

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  afterFile(() => client.end());
  return client;
}

async function make(count: number, lastEvent = 'queued'): Promise<string[]> {
  return (await database.query<{ id: string }>(MAKE, [count, lastEvent])).map(({ id }) => id).sort();
}

async function lease(ids: readonly string[], duration = LONG) {
  const results: { kind: string; lease?: { fence: number; endUnknown: boolean; lostEnds: number } }[] =
    await worker.lease(ids, duration, INLINE);
  return results.map(({ kind, lease }, index) => ({ kind, id: ids[index]!, ...lease! }));
}

const endOf = (held: Held, some: object = {}) => ({
  ...held,
  recipients: [],
  lastEvent: 'sent',
  attempts: 1,
  retryIn: null,
  outcomes: [],
  endUnknown: false,
  events: [{ type: 'sent' }],
  ...some,
});

const dueIn = async (id: string) =>
  (
    await database.query<{ due: number }>(
      'SELECT extract(epoch FROM due_at - now())::float8 * 1000 AS due FROM nestjs_emails.deliveries WHERE email_id = $1',
      [id],
    )
  )[0]!.due;

const lapse = (id: string) => until(async () => (await dueIn(id)) < 0);

/** Expires leases of any duration. */
const expire = (ids: readonly string[]) =>
  database.query('UPDATE nestjs_emails.deliveries SET due_at = clock_timestamp() WHERE email_id = ANY($1)', [ids]);

/** Rows that another transaction may have locked, and the statement that locks them. */
const LOCKS = {
  'its delivery': 'SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE',
  'its email': 'SELECT FROM nestjs_emails.emails WHERE id = $1 FOR UPDATE',
  'its attempt': 'SELECT FROM nestjs_emails.attempts WHERE email_id = $1 FOR UPDATE',
};
type Lockable = keyof typeof LOCKS;

/** Events of a lease that ended. */
const ENDED = expect.any(Array);

async function lock(what: Lockable, id: string): Promise<void> {
  await stranger.query('BEGIN');
  await stranger.query(LOCKS[what], [id]);
}

describe('a pause', () => {
  const insert = (transport: string) =>
    database.query("INSERT INTO nestjs_emails.pauses (scope, subject, transport, reason) VALUES ('all', '', $1, '')", [
      transport,
    ]);

  afterEach(async () => {
    await stranger.query('ROLLBACK');
    await database.query('DELETE FROM nestjs_emails.pauses');
  });

  it('whose row another transaction has locked puts its emails off for seconds, without a lease', async () => {
    await insert('');
    const [id] = await make(1);
    await stranger.query('BEGIN');
    await stranger.query('SELECT FROM nestjs_emails.pauses FOR UPDATE');
    expect((await lease([id!]))[0]!.kind).toBe('nothing');
    expect(await dueIn(id!)).toBeGreaterThan(2_000);
    expect(await dueIn(id!)).toBeLessThan(11_000);
    await stranger.query('ROLLBACK');
    await expire([id!]);
    await lease([id!]);
    expect(await dueIn(id!)).toBe(Number.POSITIVE_INFINITY);
  });

  it('that began after an attempt was written is seen when it is asked about again', async () => {
    const held = await lease(await make(2));
    const attempts = held.map((one) => ({ ...one, transport: 'a' }));
    expect(await worker.openAttempts(attempts)).toEqual([true, true]);
    expect(await worker.checkAttempts(attempts)).toEqual([true, true]);
    expect(await worker.checkAttempts([{ ...attempts[0], fence: 7 }])).toEqual([false]);
    await insert('b');
    expect(await worker.checkAttempts(attempts)).toEqual([true, true]);
    await insert('a');
    expect(await worker.checkAttempts(attempts)).toEqual([false, false]);
  });
});

describe('an attempt whose message has not begun', () => {
  it('is withdrawn and written again, and does not count if its worker dies', async () => {
    const held = await lease(await make(2));
    const attempts = held.map((one) => ({ ...one, transport: 'a' }));
    await worker.openAttempts(attempts);
    await lock('its attempt', held[1]!.id);
    expect(await worker.withdrawAttempts(attempts)).toEqual([true, false]);
    expect(await worker.checkAttempts(attempts)).toEqual([false, true]);
    await stranger.query('ROLLBACK');
    expect(await worker.withdrawAttempts(attempts)).toEqual([false, true]);
    expect(await worker.openAttempts([attempts[1]])).toEqual([true]);
    await expire(held.map(({ id }) => id));
    const [first, second] = await lease(held.map(({ id }) => id));
    expect(first).toMatchObject({ kind: 'leased', endUnknown: false, lostEnds: 0 });
    expect(second).toMatchObject({ kind: 'leased', endUnknown: true, lostEnds: 1 });
    expect(await worker.withdrawAttempts(attempts)).toEqual([false, false]);
  });
});

describe('the end of a pause', () => {
  let pauses: Awaited<ReturnType<typeof libraryRepository>>;

  beforeAll(async () => {
    pauses = await libraryRepository('deliver/pause.repository', 'PauseRepository', await transactingOn(database));
    await database.query('DELETE FROM nestjs_emails.deliveries');
  });

  afterEach(async () => {
    await stranger.query('ROLLBACK');
    await database.query('DELETE FROM nestjs_emails.pauses');
    await database.query('DELETE FROM nestjs_emails.deliveries');
  });

  const ALL = { reason: 'x' };
  const ONE = { account: 'account', reason: 'x' };
  /** An email that each of these pauses keeps. */
  const kept = async (...some: object[]) => {
    for (const pause of some) await pauses.begin(pause);
    const [id] = await make(1);
    await lease([id!]);
    expect(await dueIn(id!)).toBe(Number.POSITIVE_INFINITY);
    return id!;
  };

  it('releases nothing without such a pause, or while another one keeps the emails', async () => {
    const id = await kept(ONE);
    expect(await pauses.end({}, 500)).toEqual({ kind: 'released', hasEnded: false, emails: [] });
    await pauses.begin(ALL);
    expect(await pauses.end({}, 500)).toEqual({ kind: 'released', hasEnded: true, emails: [] });
    await pauses.begin({ ...ONE, transport: 'a' });
    expect(await pauses.end({ account: 'account', transport: 'a' }, 500)).toMatchObject({ hasEnded: true, emails: [] });
    expect(await dueIn(id)).toBe(Number.POSITIVE_INFINITY);
    expect((await pauses.end({ account: 'account' }, 500)).emails).toEqual([expect.objectContaining({ emailId: id })]);
    expect(await dueIn(id)).toBeLessThan(0);
  });

  it('releases emails whose other pause is ending at the same time', async () => {
    const id = await kept(ONE, ALL);
    await stranger.query('BEGIN');
    await stranger.query("DELETE FROM nestjs_emails.pauses WHERE scope = 'all'");
    expect((await pauses.end({ account: 'account' }, 500)).emails).toEqual([expect.objectContaining({ emailId: id })]);
  });

  it('notes the age that its emails had', async () => {
    const id = await kept(ONE);
    await database.query("UPDATE nestjs_emails.emails SET created_at = now() - interval '1 hour' WHERE id = $1", [id]);
    await pauses.end({ account: 'account' }, 500);
    const [row] = await database.query('SELECT recipients FROM nestjs_emails.deliveries WHERE email_id = $1', [id]);
    expect(row).toEqual({ recipients: [{ address: 'b@b.test', status: 'pending', resumedAge: expect.any(Number) }] });
    expect((row as { recipients: { resumedAge: number }[] }).recipients[0]!.resumedAge / 3_600_000).toBeCloseTo(1, 1);
  });

  it('is not awaited by emails that are kept for paused transports alone, when workers look at them again', async () => {
    const id = await kept(ONE);
    await worker.releaseKeptForTransports();
    expect(await dueIn(id)).toBe(Number.POSITIVE_INFINITY);
    await pauses.begin({ transport: 'a', reason: 'x' });
    await worker.releaseKeptForTransports();
    expect(await dueIn(id)).toBe(Number.POSITIVE_INFINITY);
    await database.query("DELETE FROM nestjs_emails.pauses WHERE scope = 'account'");
    await worker.releaseKeptForTransports();
    expect(await dueIn(id)).toBeLessThan(0);
  });
});

describe('an end that waits for paused transports', () => {
  const insert = (transport: string) =>
    database.query("INSERT INTO nestjs_emails.pauses (scope, subject, transport, reason) VALUES ('all', '', $1, '')", [
      transport,
    ]);
  const isKept = async (id: string) =>
    (
      await database.query<{ kept: boolean }>(
        "SELECT due_at = 'infinity' AS kept FROM nestjs_emails.deliveries WHERE email_id = $1",
        [id],
      )
    )[0]?.kept;
  const close = async (id: string) => {
    const [held] = await lease([id]);
    const end = { retryIn: 0, outcomes: null, events: [], lastEvent: 'queued', pausedTransports: ['a', 'b'] };
    await worker.close([endOf(held!, end)]);
  };

  afterEach(async () => {
    await stranger.query('ROLLBACK');
    await database.query('DELETE FROM nestjs_emails.pauses');
  });

  it('keeps the email while all of them are paused', async () => {
    for (const name of ['a', 'b']) await insert(name);
    const [id] = await make(1);
    await close(id!);
    expect(await isKept(id!)).toBe(true);
  });

  it('leaves it due if one of the pauses has ended since the lease', async () => {
    await insert('b');
    const [id] = await make(1);
    await close(id!);
    expect(await isKept(id!)).toBe(false);
  });

  it('puts it off for seconds if one of the pauses is ending, and does not wait for that', async () => {
    for (const name of ['a', 'b']) await insert(name);
    const [id] = await make(1);
    await stranger.query('BEGIN');
    await stranger.query("DELETE FROM nestjs_emails.pauses WHERE transport = 'a'");
    await close(id!);
    expect(await isKept(id!)).toBe(false);
    expect(await dueIn(id!)).toBeGreaterThan(2_000);
  });
});

describe('a renewal that comes late', () => {
  it('does not change when the email is tried next', async () => {
    const [id] = await make(1);
    const [held] = await lease([id!]);
    await worker.openAttempts([held]);
    expect(await worker.close([endOf(held!, { retryIn: 3_600_000 })])).toEqual([ENDED]);
    expect(await worker.extend([held], 10_000)).toEqual(['lost']);
    expect(await dueIn(id!)).toBeGreaterThan(3_000_000);
  });

  it('does not change it either without an attempt', async () => {
    const [id] = await make(1);
    const [held] = await lease([id!]);
    await worker.close([endOf(held!, { retryIn: 3_600_000, outcomes: null })]);
    expect(await worker.extend([held], 10_000)).toEqual(['lost']);
    expect(await dueIn(id!)).toBeGreaterThan(3_000_000);
  });
});

describe('an email that is changed right before its lease', () => {
  it('shows no earlier state: it shows nothing until the lease has run out', async () => {
    const [changed, other] = await make(2);
    const client = await connect();
    /** Reads at its start, and locks once the stranger's lock is released. */
    const slow = await libraryRepository('deliver/delivery.repository', 'DeliveryRepository', {
      query: async (sql, params) => {
        const gated = sql
          .replace('WITH due', 'WITH gate AS MATERIALIZED (SELECT pg_advisory_xact_lock(1)), due')
          .replace('FROM nestjs_emails.deliveries', 'FROM (SELECT count(*) FROM gate) AS g, nestjs_emails.deliveries')
          .replace('FOR UPDATE SKIP', 'FOR UPDATE OF deliveries SKIP');
        return (await client.query(gated, [...params])).rows;
      },
    });
    await stranger.query('SELECT pg_advisory_lock(1)');
    const leasing = slow.lease([changed, other], 1, INLINE);
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    await until(async () => (await database.query(waiting))[0]);
    await stranger.query('UPDATE nestjs_emails.deliveries SET fence = fence + 1 WHERE email_id = $1', [changed]);
    await stranger.query('SELECT pg_advisory_unlock(1)');
    expect(await leasing).toMatchObject([{ kind: 'nothing' }, { kind: 'leased', lease: { fence: 1 } }]);
    await lapse(changed!);
    expect(await lease([changed!])).toMatchObject([{ kind: 'leased', fence: 3 }]);
  });
});

describe('an attempt whose commit outlasts the lease', () => {
  /** A worker that has written an attempt, and not committed it, when its lease runs out. */
  async function slowCommit() {
    const [id] = await make(1);
    const client = await connect();
    const slow = await libraryRepository('deliver/delivery.repository', 'DeliveryRepository', dataSourceOn(client));
    const [held] = await lease([id!], 2_000);
    await client.query('BEGIN');
    expect(await slow.openAttempts([held])).toEqual([true]);
    await lapse(id!);
    return { id: id!, commit: () => client.query('COMMIT') };
  }

  it('blocks others from the email until then, and is visible to them afterwards', async () => {
    const { id, commit } = await slowCommit();
    expect(await lease([id])).toMatchObject([{ kind: 'nothing' }]);
    await commit();
    expect(await lease([id])).toMatchObject([{ kind: 'leased', endUnknown: true, lostEnds: 1 }]);
  });
});

describe('attempts without a known end', () => {
  it('count, each of them', async () => {
    const [id] = await make(1);
    for (const lost of [0, 1, 2]) {
      const [held] = await lease([id!], 1);
      expect(held).toMatchObject({ endUnknown: lost > 0, lostEnds: lost });
      await database.query(
        "UPDATE nestjs_emails.deliveries SET due_at = now() + interval '1 hour' WHERE email_id = $1",
        [id],
      );
      expect(await worker.openAttempts([held])).toEqual([true]);
      await database.query('UPDATE nestjs_emails.deliveries SET due_at = now() WHERE email_id = $1', [id]);
    }
    const [row] = await database.query('SELECT attempts FROM nestjs_emails.deliveries WHERE email_id = $1', [id]);
    expect(row).toEqual({ attempts: 2 });
  });
});

describe('an email with a lock on', () => {
  it.each(['its delivery', 'its email'] as const)(
    '%s does not keep others from being leased when their time has come',
    async (what) => {
      const ids = await make(3, 'scheduled');
      await lock(what, ids[1]!);
      expect((await lease(ids)).map(({ kind }) => kind)).toEqual(['leased', 'nothing', 'leased']);
      await stranger.query('ROLLBACK');
      expect(await lease([ids[1]!])).toMatchObject([{ kind: 'leased' }]);
    },
  );

  it('an attempt that was abandoned does not keep others from being leased', async () => {
    const ids = await make(3);
    const held = await lease(ids);
    expect(await worker.openAttempts(held)).toEqual([true, true, true]);
    await expire(ids);
    await lock('its attempt', ids[1]!);
    expect((await lease(ids)).map(({ kind }) => kind)).toEqual(['leased', 'nothing', 'leased']);
    await stranger.query('ROLLBACK');
    expect(await lease([ids[1]!])).toMatchObject([{ kind: 'leased', endUnknown: true }]);
  });

  it.each(['its delivery', 'its email'] as const)(
    '%s does not keep the attempts of others from being written',
    async (what) => {
      const held = await lease(await make(3));
      await lock(what, held[1]!.id);
      expect(await worker.openAttempts(held)).toEqual([true, false, true]);
    },
  );

  it('its delivery does not keep the leases of others from being renewed', async () => {
    const held = await lease(await make(3));
    await lock('its delivery', held[1]!.id);
    expect(await worker.extend(held, LONG)).toEqual(['done', 'locked', 'done']);
  });

  it.each(Object.keys(LOCKS) as Lockable[])('%s does not keep the turns of others from ending', async (what) => {
    const held = await lease(await make(3));
    await worker.openAttempts(held);
    await lock(what, held[1]!.id);
    expect(await worker.close(held.map((one) => endOf(one)))).toEqual([ENDED, 'locked', ENDED]);
    const events = 'SELECT FROM nestjs_emails.events WHERE email_id = $1';
    expect(await database.query(events, [held[1]!.id])).toHaveLength(0);
  });

  it.each(Object.keys(LOCKS) as Lockable[])(
    '%s belongs to the one worker that waits for it as soon as it is free, though its lease has run out',
    async (what) => {
      const [id] = await make(1);
      const [held] = await lease([id!]);
      await worker.openAttempts([held]);
      await expire([id!]);
      await lock(what, id!);
      const ended: Promise<unknown> = worker.closeLocked(endOf(held!));
      const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      await until(async () => (await stranger.query(waiting)).rowCount);
      await stranger.query('COMMIT');
      expect(await ended).toEqual(ENDED);
      expect(await lease([id!])).toMatchObject([{ kind: 'nothing' }]);
    },
  );

  it('its delivery is renewed alone as soon as it is free', async () => {
    const [held] = await lease(await make(1));
    await lock('its delivery', held!.id);
    const renewed: Promise<string> = worker.extendLocked(held, 2 * LONG);
    await stranger.query('COMMIT');
    expect(await renewed).toBe('done');
    expect(await dueIn(held!.id)).toBeGreaterThan(LONG);
  });
});

describe('the lane of an email', () => {
  const HOPS = 4n;
  const AT_ONCE = { now: 0, bulk: 0 };
  const LATER = 3_600_000;

  it.each([true, false])('is in every result about it, bulk: %j', async (isBulk) => {
    const account = `lane ${isBulk}`;
    const [id] = await make(1, 'delivery_delayed');
    await database.query('UPDATE nestjs_emails.deliveries SET bulk = $2 WHERE email_id = $1', [id, isBulk || null]);
    await database.query('UPDATE nestjs_emails.emails SET account_id = $2 WHERE id = $1', [id, account]);
    const dataSource = await transactingOn(database);
    const changes = await libraryRepository('deliver/change.repository', 'ChangeRepository', dataSource);
    const pauses = await libraryRepository('deliver/pause.repository', 'PauseRepository', dataSource);
    const shown = { emailId: id, accountId: account, isBulk };

    const { emails } = await worker.overdue(AT_ONCE, 0, 500, HOPS);
    expect(emails).toContainEqual(expect.objectContaining(shown));
    const { emails: since } = await worker.overdue(AT_ONCE, 0, 500, HOPS, '2026-01-01 00:00:00+00');
    expect(since).toContainEqual(expect.objectContaining(shown));
    for (const grace of [
      { now: 0, bulk: LATER },
      { now: LATER, bulk: 0 },
    ]) {
      const { emails: late } = await worker.overdue(grace, 0, 500, HOPS);
      expect(late.some(({ emailId }: { emailId: string }) => emailId === id)).toBe(isBulk === grace.now > 0);
    }
    const [held] = await worker.lease([id], LONG, INLINE);
    expect(held.lease.email).toMatchObject({ id, isBulk });
    expect(await changes.retry(account, id)).toMatchObject({ kind: 'changed', isBulk });
    const outcome = { place: 0, status: 'pending', lastEvent: 'delivery_delayed', isPending: true };
    const report = () => ({ ...outcome, event: { type: 'delivery_delayed', source: 'dsn' } });
    expect(await changes.report(account, id, report)).toMatchObject({ kind: 'recorded', isBulk });

    await database.query(
      'UPDATE nestjs_emails.deliveries SET waits_for = 4, waits_from = now(), seq = 1 WHERE email_id = $1',
      [id],
    );
    expect((await worker.release(HOPS, 500)).emails).toEqual([expect.objectContaining(shown)]);
    await database.query("UPDATE nestjs_emails.deliveries SET due_at = 'infinity' WHERE email_id = $1", [id]);
    await pauses.begin({ account, reason: 'x' });
    expect((await pauses.end({ account }, 500)).emails).toEqual([expect.objectContaining(shown)]);
    expect(await changes.cancel(account, id)).toMatchObject({ kind: 'changed', isBulk });
  });
});

describe('a change of a delayed email', () => {
  let changes: Awaited<ReturnType<typeof libraryRepository>>;

  beforeAll(async () => {
    changes = await libraryRepository('deliver/change.repository', 'ChangeRepository', await transactingOn(database));
  });

  it.each(['cancel', 'retry'])('revokes the lease of a worker that has not started: %s', async (change) => {
    const [id] = await make(1, 'delivery_delayed');
    const [held] = await lease([id!]);
    expect(await changes[change]('account', id)).toMatchObject({ kind: 'changed', fence: held!.fence + 1 });
    expect(await worker.openAttempts([held])).toEqual([false]);
    expect(await worker.extend([held], LONG)).toEqual(['lost']);
    expect(await worker.close([endOf(held!, { retryIn: LONG })])).toEqual(['lost']);
    // Due at once, or never again.
    expect((await lease([id!]))[0]!.kind).toBe(change === 'retry' ? 'leased' : 'nothing');
  });

  it.each(['cancel', 'retry'])(
    'is too late for a worker that has started, also for one that died: %s',
    async (change) => {
      const underWay = { kind: 'standing', lastEvent: 'delivery_delayed', obstacle: 'under way' };
      const [id] = await make(1, 'delivery_delayed');
      expect(await worker.openAttempts(await lease([id!]))).toEqual([true]);
      expect(await changes[change]('account', id)).toEqual(underWay);
      await database.query('UPDATE nestjs_emails.deliveries SET due_at = now() WHERE email_id = $1', [id]);
      expect(await changes[change]('account', id)).toEqual(underWay);
      const [last] = await lease([id!]);
      await worker.close([endOf(last!, { lastEvent: 'delivery_delayed', retryIn: LONG, outcomes: null, events: [] })]);
      const unclear = { kind: 'standing', lastEvent: 'delivery_delayed', obstacle: 'unclear' };
      expect(await changes[change]('account', id)).toMatchObject(change === 'cancel' ? unclear : { kind: 'changed' });
    },
  );

  it('does not wait, and does nothing while a worker writes its attempt', async () => {
    const [id] = await make(1, 'delivery_delayed');
    await lease([id!]);
    for (const what of ['its delivery', 'its email'] as const) {
      await lock(what, id!);
      for (const change of ['cancel', 'retry'])
        expect(await changes[change]('account', id)).toEqual({ kind: 'locked' });
      await stranger.query('ROLLBACK');
    }
  });
});
