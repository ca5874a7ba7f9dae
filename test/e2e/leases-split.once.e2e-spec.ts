import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { dataSourceOn, libraryRepository, transactingOn } from '../support/reading/library-statements.js';
import { freshDatabase, type OwnDatabase } from '../support/servers/postgres.js';

const MAKE = `
WITH made AS (
  INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes, bcc_mailboxes,
    reply_to_mailboxes, subject, headers, tags, created_at)
  SELECT gen_random_uuid(), 'account', '<' || gen_random_uuid() || '@a.test>', 'a@a.test', '{a@to.test,b@to.test}', '{}', '{}', '{}', 'Hello', '[]', '[]', now()
  FROM generate_series(1, $1::integer)
  RETURNING id
)
INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients)
SELECT id, 'queued', now(), '[{"address": "a@to.test", "status": "pending"}, {"address": "b@to.test", "status": "pending"}]'
FROM made RETURNING email_id AS id`;
const LONG = 60_000;
const outcomes = (address: string, outcome = 'accepted') => [{ address, outcome, reply: { code: 250, text: 'ok' } }];
const FIRST = outcomes('a@to.test');

interface Held {
  id: string;
  fence: number;
  endUnknown: boolean;
  lostEnds: number;
  lostMessages?: object[];
  endedOutcomes?: object[];
}

let database: OwnDatabase;
let worker: Awaited<ReturnType<typeof libraryRepository>>;

beforeAll(async () => {
  database = await freshDatabase();
  worker = await libraryRepository('deliver/delivery.repository', 'DeliveryRepository', dataSourceOn(database.pool));
});

async function make(count: number): Promise<string[]> {
  return (await database.query<{ id: string }>(MAKE, [count])).map(({ id }) => id).sort();
}

async function lease(ids: readonly string[]): Promise<(Held | undefined)[]> {
  const results: { lease?: Omit<Held, 'id'> }[] = await worker.lease(ids, LONG, 1_000);
  return results.map((result, index) => result.lease && { ...result.lease, id: ids[index] as string });
}

async function leaseOne(id: string): Promise<Held> {
  const [held] = await lease([id]);
  if (!held) throw new Error('It is not leased.');
  return { ...held, id };
}

const expire = (ids: readonly string[]) =>
  database.query('UPDATE nestjs_emails.deliveries SET due_at = clock_timestamp() WHERE email_id = ANY($1)', [ids]);

const endOf = ({ id, fence }: Held, messages: object[], some: object = {}) => ({
  id,
  fence,
  recipients: [],
  lastEvent: 'sent',
  attempts: 1,
  retryIn: null,
  outcomes: null,
  endUnknown: false,
  events: [{ type: 'sent', recipient: 'a@to.test' }],
  messages,
  ...some,
});

const attemptsOf = (id: string) =>
  database.query<{ fence: number; message: number; ended: boolean; unknown: boolean; outcomes: object[] | null }>(
    `SELECT fence, message, finished_at IS NOT NULL AS ended, unknown, outcomes FROM nestjs_emails.attempts
     WHERE email_id = $1 ORDER BY fence, message`,
    [id],
  );

/** Opens and notes the first message, and opens the second; then the lease runs out. */
async function died(id: string): Promise<Held> {
  const held = await leaseOne(id);
  expect(await worker.openAttempts([{ ...held, message: 1 }])).toEqual([true]);
  await worker.noteOutcomes([{ id, fence: held.fence, message: 1, outcomes: FIRST }]);
  expect(await worker.openAttempts([{ ...held, message: 2 }])).toEqual([true]);
  await expire([id]);
  return held;
}

/** Another session, which has this row locked. */
async function withLock<T>(sql: string, id: string, work: () => Promise<T>): Promise<T> {
  const stranger = new pg.Client({ connectionString: database.url });
  await stranger.connect();
  afterFile(() => stranger.end());
  await stranger.query('BEGIN');
  await stranger.query(sql, [id]);
  try {
    return await work();
  } finally {
    await stranger.query('ROLLBACK');
  }
}

describe('a lease after a worker that died between the messages of an email', () => {
  it('knows the outcomes that were written, and one message without an end', async () => {
    const [id] = (await make(1)) as [string];
    await died(id);
    const next = await leaseOne(id);
    expect(next).toMatchObject({
      endUnknown: false,
      lostEnds: 1,
      endedOutcomes: FIRST,
      lostMessages: [{ message: 2, isNew: true, since: 0 }],
    });
    const rows = [
      { fence: 1, message: 1, ended: false, unknown: false, outcomes: FIRST },
      { fence: 1, message: 2, ended: true, unknown: true, outcomes: null },
    ];
    expect(await attemptsOf(id)).toEqual(rows);
    // Once more, if this worker dies too.
    await expire([id]);
    const last = await leaseOne(id);
    expect(last).toMatchObject({ endedOutcomes: FIRST, lostMessages: [{ message: 2, isNew: false }] });
    expect(await worker.closeSplit([endOf(last, [])])).toEqual([expect.any(Array)]);
    expect(await attemptsOf(id)).toEqual(rows.map((row) => ({ ...row, ended: true })));
  });

  it('says since when only of the latest attempt at a recipient', async () => {
    const [id] = (await make(1)) as [string];
    await died(id);
    const next = await leaseOne(id);
    await worker.openAttempts([{ ...next, message: 2 }]);
    const ended = { message: 2, outcomes: outcomes('b@to.test', 'deferred') };
    await worker.closeSplit([endOf(next, [ended], { retryIn: 0, lastEvent: 'delivery_delayed' })]);
    expect((await leaseOne(id)).lostMessages).toEqual([{ message: 2, isNew: false, since: null }]);
  });

  it('is granted to a paused email until its outcomes are recorded, and not afterwards', async () => {
    const [id] = (await make(1)) as [string];
    await died(id);
    await database.query(
      "INSERT INTO nestjs_emails.pauses (scope, subject, transport, reason) VALUES ('account', 'account', '', 'why')",
    );
    const next = await leaseOne(id);
    await worker.closeSplit([endOf(next, [], { retryIn: 0 })]);
    expect(await lease([id])).toEqual([undefined]);
    await database.query('DELETE FROM nestjs_emails.pauses');
  });
});

describe('the end of a lease of several messages', () => {
  it('closes each attempt with its outcome, and keeps outcomes that are written', async () => {
    const [id] = (await make(1)) as [string];
    const held = await leaseOne(id);
    for (const message of [1, 2, 3]) await worker.openAttempts([{ ...held, message }]);
    await worker.noteOutcomes([{ id, fence: 1, message: 1, outcomes: FIRST }]);
    const unknown = outcomes('b@to.test', 'unknown');
    const ends = [{ message: 2, outcomes: unknown }];
    expect(await worker.closeSplit([endOf(held, ends)])).toEqual([expect.any(Array)]);
    expect(await attemptsOf(id)).toEqual([
      { fence: 1, message: 1, ended: true, unknown: false, outcomes: FIRST },
      { fence: 1, message: 2, ended: true, unknown: true, outcomes: unknown },
      { fence: 1, message: 3, ended: true, unknown: false, outcomes: null },
    ]);
    expect(await worker.closeSplit([endOf(held, ends)])).toEqual(['lost']);
  });

  it('does not wait for a locked attempt, which keeps no others from ending, nor outcomes from being written', async () => {
    const ids = await make(2);
    const held = (await lease(ids)) as Held[];
    await worker.openAttempts(held.map((one) => ({ ...one, message: 1 })));
    const LOCK = 'SELECT FROM nestjs_emails.attempts WHERE email_id = $1 FOR UPDATE';
    const note = { message: 1, outcomes: FIRST };
    await withLock(LOCK, ids[0] as string, async () => {
      await worker.noteOutcomes(held.map(({ id, fence }) => ({ id, fence, ...note })));
      expect(await worker.closeSplit(held.map((one) => endOf(one, [note])))).toEqual(['locked', expect.any(Array)]);
    });
    const [row] = await attemptsOf(ids[0] as string);
    expect(row).toMatchObject({ ended: false, outcomes: null });
    expect(await worker.closeSplitLocked(endOf(held[0] as Held, [note]))).toEqual(expect.any(Array));
    expect((await attemptsOf(ids[0] as string))[0]).toMatchObject({ ended: true, outcomes: FIRST });
  });

  it('changes nothing for a worker that outlived its lease, and neither does an outcome that it writes', async () => {
    const [id] = (await make(1)) as [string];
    const late = await died(id);
    await leaseOne(id);
    const before = await attemptsOf(id);
    await worker.noteOutcomes([{ id, fence: late.fence, message: 2, outcomes: outcomes('b@to.test') }]);
    expect(await worker.openAttempts([{ ...late, message: 2 }])).toEqual([false]);
    expect(await worker.closeSplit([endOf(late, [{ message: 2, outcomes: FIRST }])])).toEqual(['lost']);
    expect(await attemptsOf(id)).toEqual(before);
  });
});

describe('a report about an email of several messages', () => {
  it('waits for the end of the lease: it may be about a message that has ended', async () => {
    const [id] = (await make(1)) as [string];
    await died(id);
    const changes = await libraryRepository(
      'deliver/change.repository',
      'ChangeRepository',
      await transactingOn(database),
    );
    const decide = () => 'unchanged';
    expect(await changes.report('account', id, decide)).toEqual({ kind: 'locked' });
    await worker.closeSplit([endOf(await leaseOne(id), [])]);
    expect(await changes.report('account', id, decide)).toEqual({ kind: 'refused', refusal: 'unchanged' });
  });
});
