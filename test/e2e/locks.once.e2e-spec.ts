import fc from 'fast-check';
import type { SendEmail } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { letter } from '../support/hosts/contract-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { holds } from '../support/jest/property.js';
import { freshDatabase, type TestDatabase } from '../support/servers/postgres.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** More than a host has connections. */
const MANY = 50;

let host: SmallHost;
let database: TestDatabase;
let keys = 0;

beforeAll(async () => {
  database = await freshDatabase();
  host = await SmallHost.start(await SmtpSink.start(), { delivery: { sweepInterval: 600_000 } }, database);
});

const email = (fields: object = {}) => letter(fields) as unknown as SendEmail;
const freshKey = () => `key-${keys++}`;
const attached = (content: string) => ({
  attachments: [{ filename: 'a.txt', content: Buffer.from(content).toString('base64') }],
});

const post = (fields: object, key?: string) =>
  host.request<{ id: string }>('POST', '/emails', {
    body: letter(fields),
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

const postBatch = (key?: string) =>
  host.request<object>('POST', '/emails/batch', {
    body: [letter(), letter()],
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

const send = ({ emails }: HostTools, account: string, given: SendEmail) => emails.send(account, given);
const sendBatch = ({ emails }: HostTools, account: string, given: SendEmail) =>
  emails.sendBatch(account, [given, given]);

/** Others of the account and of another one, by HTTP and from the host's own code. */
async function othersAreServed(): Promise<void> {
  const answers = await Promise.all([...Array.from({ length: MANY }, () => post({})), post({}, freshKey())]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await host.run(send, 'another', email())).toEqual({ id: expect.any(String) });
}

interface OpenTransaction {
  end(how: 'commit' | 'rollback'): void;
  ended: Promise<string>;
}

/** Starts a transaction in the host that emails with these keys join, and leaves it open. Returns their ids. */
const begin = ({ emails, dataSource }: HostTools, given: SendEmail, keys: string[]) =>
  new Promise<string[]>((joined, failed) => {
    const open = {} as OpenTransaction;
    const end = new Promise<string>((resolve) => {
      open.end = resolve;
    });
    open.ended = dataSource
      .transaction(async (manager) => {
        const ids: string[] = [];
        for (const key of keys)
          ids.push((await emails.send('one', given, { transaction: manager, idempotencyKey: key })).id);
        joined(ids);
        if ((await end) === 'rollback') throw new Error('rolled back');
        return 'committed';
      })
      .catch((error: Error) => {
        failed(error);
        return error.message;
      });
    Object.assign(globalThis, { open });
  });

/** The same with a batch for each key. Returns the answers. */
const beginBatch = ({ emails, dataSource }: HostTools, given: SendEmail, keys: string[]) =>
  new Promise<string[]>((joined, failed) => {
    const open = {} as OpenTransaction;
    const end = new Promise<string>((resolve) => {
      open.end = resolve;
    });
    open.ended = dataSource
      .transaction(async (manager) => {
        const answers: string[] = [];
        for (const idempotencyKey of keys) {
          answers.push(
            JSON.stringify(await emails.sendBatch('one', [given, given], { transaction: manager, idempotencyKey })),
          );
        }
        joined(answers);
        return end;
      })
      .catch((error: Error) => {
        failed(error);
        return error.message;
      })
      .then((how) => (how === 'commit' ? 'committed' : how));
    Object.assign(globalThis, { open });
  });

const end = (_: HostTools, how: 'commit' | 'rollback') => {
  const { open } = globalThis as unknown as { open: OpenTransaction };
  open.end(how);
  return open.ended;
};

/** A foreign session within a transaction. */
async function stranger(sql: string, params: unknown[] = []): Promise<{ leave: () => Promise<unknown> }> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  afterFile(() => client.end());
  await client.query('BEGIN');
  await client.query(sql, params);
  return { leave: () => client.query('ROLLBACK') };
}

describe('while a transaction that an email joined is open', () => {
  it('senders of its key wait for it, without a connection, and no other request does', async () => {
    const key = freshKey();
    const [joined] = await host.run(begin, email(), [key]);
    let answered = 0;
    const same = Array.from({ length: MANY }, () => post({}, key).finally(() => answered++));
    await othersAreServed();
    expect(answered).toBe(0);
    expect(await host.run(end, 'commit' as const)).toBe('committed');
    for (const { status, body, headers } of await Promise.all(same)) {
      expect({ status, body }).toEqual({ status: 200, body: { id: joined } });
      expect(headers['idempotent-replayed']).toBe('true');
    }
  });

  it('senders of a batch with its key wait for it, without a connection, and no other request does', async () => {
    const key = freshKey();
    const [joined] = await host.run(beginBatch, email(), [key]);
    let answered = 0;
    const same = Array.from({ length: MANY }, () => postBatch(key).finally(() => answered++));
    await othersAreServed();
    expect((await postBatch()).status).toBe(200);
    expect(answered).toBe(0);
    expect(await host.run(end, 'commit' as const)).toBe('committed');
    expect(new Set((await Promise.all(same)).map(({ text }) => text))).toEqual(new Set([joined]));
  });

  it('senders of its key are accepted, as one, once it is rolled back', async () => {
    const key = freshKey();
    const [joined] = await host.run(begin, email(), [key]);
    const same = Array.from({ length: MANY }, () => post({}, key));
    await othersAreServed();
    expect(await host.run(end, 'rollback' as const)).toBe('rolled back');
    const answers = await Promise.all(same);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [id, ...others] = new Set(answers.map(({ body }) => body.id));
    expect(others).toEqual([]);
    expect(id).not.toBe(joined);
    expect(answers.filter(({ headers }) => !headers['idempotent-replayed'])).toHaveLength(1);
  });

  it('senders of an attachment that came with it wait for it, without a connection, and no other request does', async () => {
    const file = attached('new with a transaction');
    await host.run(begin, email(file), [freshKey()]);
    let answered = 0;
    const same = Array.from({ length: MANY }, () => post(file).finally(() => answered++));
    await othersAreServed();
    expect(answered).toBe(0);
    expect(await host.run(end, 'commit' as const)).toBe('committed');
    expect(new Set((await Promise.all(same)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('it may have joined more emails than PostgreSQL has room for locks', async () => {
    const keys = Array.from({ length: 2_000 }, freshKey);
    const ids = await host.run(begin, email(), keys);
    const [held] = await database.query<{ locks: number }>(
      `SELECT count(*)::int AS locks FROM pg_locks JOIN pg_database ON oid = database
       WHERE datname = current_database() AND locktype = 'advisory'`,
    );
    expect(held?.locks).toBeLessThan(1_700);
    let answered = 0;
    const same = Array.from({ length: MANY }, () => post({}, keys.at(-1)).finally(() => answered++));
    await othersAreServed();
    expect(answered).toBe(0);
    expect(await host.run(end, 'commit' as const)).toBe('committed');
    expect(new Set((await Promise.all(same)).map(({ body }) => body.id))).toEqual(new Set([ids.at(-1)]));
  });
});

describe('while a stranger holds', () => {
  it.each([
    [
      'a key that it inserts without the lock',
      false,
      `INSERT INTO nestjs_emails.idempotency_keys VALUES ('one', $1, '', gen_random_uuid(), now() + interval '1 day')`,
    ],
    ['an expired key', true, `SELECT FROM nestjs_emails.idempotency_keys WHERE key = $1 FOR UPDATE`],
  ])('%s, only requests that need it wait', async (_, isExpired, sql) => {
    const key = freshKey();
    if (isExpired) {
      await post({}, key);
      await database.query('UPDATE nestjs_emails.idempotency_keys SET expires_at = now() WHERE key = $1', [key]);
    }
    const { leave } = await stranger(sql, [key]);
    let answered = 0;
    const same = Array.from({ length: MANY }, () => post({}, key).finally(() => answered++));
    await othersAreServed();
    expect(answered).toBe(0);
    await leave();
    expect(new Set((await Promise.all(same)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('the list of an account, others are served', async () => {
    const { leave } = await stranger(`SELECT pg_advisory_xact_lock(${0x656d_6c73}, hashtext('one'))`);
    let answered = 0;
    const same: Promise<{ status: number }>[] = Array.from({ length: MANY }, () => post({}).finally(() => answered++));
    same.push(...Array.from({ length: MANY }, () => postBatch().finally(() => answered++)));
    for (let n = 0; n < 10; n++) {
      await Promise.all([host.run(send, 'another', email()), host.run(sendBatch, 'another', email())]);
    }
    expect(answered).toBe(0);
    await leave();
    expect(new Set((await Promise.all(same)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('a needed lock without releasing it, the answer is 503 and says that nothing was accepted', async () => {
    const key = freshKey();
    const claim = await stranger(
      `INSERT INTO nestjs_emails.idempotency_keys VALUES ('one', $1, '', gen_random_uuid(), now() + interval '1 day')`,
      [key],
    );
    const list = await stranger(`SELECT pg_advisory_xact_lock(${0x656d_6c73}, hashtext('stuck'))`);
    const never = email({ subject: 'Never' });
    const [answer, refusal] = await Promise.all([
      post({ subject: 'Never' }, key),
      host.run(send, 'stuck', never).catch((error: Error) => error),
    ]);
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: { message: expect.stringMatching(/same `Idempotency-Key` is not finished yet\. Nothing was accepted\./) },
    });
    expect(refusal).toMatchObject({ statusCode: 503, message: expect.stringMatching(/Nothing was accepted\./) });
    await Promise.all([claim.leave(), list.leave()]);
    expect(await database.query(`SELECT id FROM nestjs_emails.emails WHERE subject = 'Never'`)).toEqual([]);
  });
});

describe('while a stranger holds an email', () => {
  const scheduled = async () => (await post({ scheduled_at: '2096-11-21T05:26:01Z' })).body.id;
  const cancel = (id: string) => host.request('POST', `/emails/${id}/cancel`);
  const reschedule = (id: string) =>
    host.request('PATCH', `/emails/${id}`, { body: { scheduled_at: '2097-11-21T05:26:01Z' } });

  it('changes of it wait without a connection, and end in a 503', async () => {
    const [first = '', second = ''] = await Promise.all([scheduled(), scheduled()]);
    const strangers = await Promise.all([
      stranger('SELECT FROM nestjs_emails.deliveries WHERE email_id = $1 FOR UPDATE', [first]),
      stranger('SELECT FROM nestjs_emails.emails WHERE id = $1 FOR UPDATE', [second]),
    ]);
    const stuck = [first, second].flatMap((id) => [
      ...Array.from({ length: MANY / 2 }, () => cancel(id)),
      reschedule(id),
    ]);
    await othersAreServed();
    for (const answer of await Promise.all(stuck)) {
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5' },
        body: { name: 'application_error', message: expect.stringMatching(/Nothing was changed\.$/) },
      });
    }
    const canceling = [cancel(first), cancel(second)];
    await Promise.all(strangers.map(({ leave }) => leave()));
    for (const { status } of await Promise.all(canceling)) expect(status).toBe(200);
  });
});

/** Calls of a caller: one email at a time, or several within one transaction. */
interface Work {
  joined: boolean;
  sends: { account: string; key: string | null }[];
}

/** Runs all concurrently. Returns the error messages. */
const doAll = async ({ emails, dataSource }: HostTools, given: SendEmail, works: Work[]) => {
  const key = (key: string | null) => (key === null ? {} : { idempotencyKey: key });
  const results = await Promise.allSettled(
    works.flatMap(({ joined, sends }): Promise<unknown>[] | Promise<unknown> =>
      joined
        ? dataSource.transaction(async (manager) => {
            for (const send of sends)
              await emails.send(send.account, given, { ...key(send.key), transaction: manager });
          })
        : sends.map((send) => emails.send(send.account, given, key(send.key))),
    ),
  );
  return results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
};

it('transactions and requests that need the same keys and accounts never deadlock', async () => {
  const account = fc.constantFrom('one', 'two', 'three');
  // A transaction that locks keys in another order can deadlock with another one of the host, as with any row.
  const joined = fc
    .record({
      key: fc.option(fc.constantFrom('a', 'b', 'c')),
      accounts: fc.array(account, { minLength: 1, maxLength: 4 }),
    })
    .map(({ key, accounts }) => accounts.map((name, at) => ({ account: name, key: at === 0 ? key : null })));
  const single = fc.record({ account, key: fc.option(fc.constantFrom('a', 'b', 'c')) }).map((send) => [send]);
  const work = fc.oneof(
    joined.map((sends): Work => ({ joined: true, sends })),
    single.map((sends): Work => ({ joined: false, sends })),
  );
  await holds(
    fc.asyncProperty(fc.array(work, { minLength: 2, maxLength: 25 }), async (works) => {
      const round = freshKey();
      const fresh = works.map(({ joined, sends }) => ({
        joined,
        sends: sends.map((send) => ({ ...send, key: send.key && `${round}-${send.key}` })),
      }));
      expect(await host.run(doAll, email(), fresh)).toEqual([]);
    }),
    60,
  );
  const [row] = await database.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(row?.deadlocks).toBe('0');
});
