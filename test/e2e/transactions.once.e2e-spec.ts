import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SendEmail } from 'nestjs-emails';
import type { ClientName } from '../hosts/transactions/clients.js';
import { letter } from '../support/hosts/contract-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { footprint } from '../support/reading/footprint.js';
import { emptyDatabase, freshDatabase } from '../support/servers/postgres.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** True if the library sees the commit of each client's transactions. */
const CLIENTS: [ClientName, boolean][] = [
  ['EntityManager', true],
  ['QueryRunner', true],
  ['pg', false],
  ['Drizzle', false],
  ['Knex', false],
  ['Prisma', false],
];

/** Rights of a role that joins, as the guide has them. */
const RIGHTS = [
  'GRANT USAGE ON SCHEMA nestjs_emails',
  'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA nestjs_emails',
  'GRANT USAGE ON ALL SEQUENCES IN SCHEMA nestjs_emails',
];

let sink: SmtpSink;
let host: SmallHost;

const email = (fields: object = {}) => letter(fields) as unknown as SendEmail;
const carries =
  (id: string) =>
  ({ raw }: SinkMessage) =>
    raw.includes(`<${id}@`);
const orders = async () => (await host.query('SELECT * FROM orders')).length;
const exists = async (id: string) =>
  (await host.query('SELECT FROM nestjs_emails.emails WHERE id = $1', [id])).length > 0;

/** Writes an order and sends an email in one transaction. Resolves with the id in every case. */
async function sendWithin(
  { emails, connect }: HostTools,
  name: ClientName,
  given: SendEmail,
  end: 'commit' | 'rollback',
  idempotencyKey?: string,
): Promise<string> {
  const client = await connect(name);
  try {
    return await client.transact(async ({ transaction, run }) => {
      await run('INSERT INTO orders VALUES (1)');
      const { id } = await emails.send('one', given, { transaction, idempotencyKey });
      emails.wake(id);
      if (end === 'rollback') throw Object.assign(new Error('Changed my mind.'), { id });
      return id;
    });
  } catch (error) {
    const { id } = error as { id?: string };
    if (id === undefined) throw error;
    return id;
  } finally {
    await client.close();
  }
}

const wake = ({ emails }: HostTools, ids: string | string[]) => Promise.resolve(emails.wake(ids));

beforeAll(async () => {
  sink = await SmtpSink.start();
  // A sweep that is too late for every test: a delivered email had a wake-up.
  const links = { secretKeys: ['s'.repeat(32)], publicUrl: 'http://a.test' };
  host = await SmallHost.start(sink, { delivery: { sweepInterval: 600_000 }, ...links });
  await host.query('CREATE TABLE orders (id integer)');
});

beforeEach(() => host.query('TRUNCATE orders'));

describe.each(CLIENTS)('a transaction of %s', (name, isSeen) => {
  it('commits the email with the rest, and `wake` sends it if the commit is not visible', async () => {
    const id = await host.run(sendWithin, name, email(), 'commit');
    expect([await orders(), await exists(id)]).toEqual([1, true]);
    if (!isSeen) {
      expect(sink.offered.filter(carries(id))).toEqual([]);
      await host.run(wake, id.toUpperCase());
    }
    await sink.waitFor(carries(id));
  });

  it('rolls back the email with the rest, including attachments and key', async () => {
    const before = await footprint(host);
    const attachments = [{ filename: 'a.txt', content: Buffer.from(name).toString('base64') }];
    const key = `rolled back ${name}`;
    const dropped = await host.run(sendWithin, name, email({ attachments }), 'rollback', key);
    await host.run(wake, dropped);
    expect([await orders(), await footprint(host)]).toEqual([0, before]);
    const kept = await host.run(sendWithin, name, email({ attachments }), 'commit', key);
    expect(kept).not.toBe(dropped);
    await host.run(wake, kept);
    await sink.waitFor(carries(kept));
    expect(sink.offered.filter(carries(dropped))).toEqual([]);
  });

  it('keeps exactly the emails of released savepoints', async () => {
    const ids = await host.run(
      async ({ emails, connect }, name, given) => {
        const client = await connect(name);
        const sent = await client.transact(async ({ nest }) => {
          const send = nest(({ transaction }) => emails.send('one', given, { transaction }));
          const kept = await send;
          let dropped = '';
          await nest(async ({ transaction }) => {
            dropped = (await emails.send('one', given, { transaction })).id;
            throw new Error('Changed my mind.');
          }).catch(() => {});
          return [kept.id, dropped];
        });
        await client.close();
        emails.wake(sent);
        return sent;
      },
      name,
      email(),
    );
    const [kept, dropped] = ids as [string, string];
    await sink.waitFor(carries(kept));
    expect(await exists(dropped)).toBe(false);
  });

  it('sees its own idempotency key, refuses another email for it, and continues', async () => {
    const key = `own ${name}`;
    const [first, again, refused] = await host.run(
      async ({ emails, connect }, name, given, idempotencyKey) => {
        const client = await connect(name);
        const found = await client.transact(async ({ transaction, run }) => {
          const options = { transaction, idempotencyKey };
          const first = await emails.send('one', given, options);
          const again = await emails.send('one', given, options);
          const refused = await emails
            .send('one', { ...given, subject: 'Other' }, options)
            .catch(({ name }: Error) => name);
          await run('INSERT INTO orders VALUES (1)');
          return [first.id, again.id, refused];
        });
        await client.close();
        return found;
      },
      name,
      email(),
      key,
    );
    expect([again, refused, await orders()]).toEqual([first, 'invalid_idempotent_request', 1]);
  });

  it('waits for another transaction with the same key, and has its email', async () => {
    const ids = await host.run(
      async ({ emails, connect }, name, given, idempotencyKey) => {
        const client = await connect(name);
        const send = () =>
          client.transact(async ({ transaction }) => {
            const { id } = await emails.send('one', given, { transaction, idempotencyKey });
            await new Promise((resolve) => setTimeout(resolve, 100));
            return id;
          });
        const sent = await Promise.all([send(), send(), send()]);
        await client.close();
        return sent;
      },
      name,
      email(),
      `same ${name}`,
    );
    expect(new Set(ids).size).toBe(1);
  });

  it('has a whole batch with its key, or nothing of it', async () => {
    const attachments = [{ filename: 'a.txt', content: Buffer.from(`batch ${name}`).toString('base64') }];
    const [dropped, kept, again] = await host.run(
      async ({ emails, connect }, name, given, idempotencyKey) => {
        const client = await connect(name);
        const batch = (end: boolean) =>
          client
            .transact(async ({ transaction }) => {
              const options = { transaction, idempotencyKey, validation: 'permissive' as const };
              const sent = await emails.sendBatch('one', [given, { ...given, to: 'x' }, given], options);
              if (!end) throw Object.assign(new Error('Changed my mind.'), { sent });
              return sent;
            })
            .catch((error) => {
              if (!error.sent) throw error;
              return error.sent;
            });
        const answers = [await batch(false), await batch(true), await batch(true)];
        await client.close();
        return answers;
      },
      name,
      email({ attachments }),
      `batch ${name}`,
    );
    expect(kept).toEqual({
      data: [{ id: expect.any(String) }, { id: expect.any(String) }],
      errors: [{ index: 1, message: expect.stringContaining('`to') }],
    });
    expect(again).toEqual(kept);
    const ids = kept.data.map(({ id }: { id: string }) => id);
    await host.run(wake, ids);
    for (const id of ids) await sink.waitFor(carries(id));
    for (const { id } of dropped.data) expect(await exists(id)).toBe(false);
  });

  it('continues after a duplicate message id', async () => {
    const message_id = `<${randomUUID()}@shop.test>`;
    const refused = await host.run(
      async ({ emails, connect }, name, given) => {
        const client = await connect(name);
        await emails.send('one', given);
        const refused = await client.transact(async ({ transaction, run }) => {
          const refused = await emails.send('one', given, { transaction }).catch((error) => error.getResponse());
          await run('INSERT INTO orders VALUES (1)');
          return refused;
        });
        await client.close();
        return refused;
      },
      name,
      email({ message_id }),
    );
    expect(refused).toMatchObject({ statusCode: 422, message: expect.stringContaining('`message_id` must be unique') });
    expect(await orders()).toBe(1);
  });

  it('stores long texts, bytes, lists and times unchanged', async () => {
    const html = `<p>${'ü$1?:p1\\" '.repeat(60_000)}</p>`;
    const bytes = Buffer.from(Array.from({ length: 1_500_000 }, (_, at) => (at * 7) % 256));
    const given = email({
      html,
      to: ['a@to.test', '"B, \\"b\\" {x}" <b@to.test>'],
      headers: { 'X-Odd': '{"a":[1,null]}' },
      tags: [{ name: 'kind', value: 'odd' }],
      attachments: [{ filename: 'ü ?.bin', content: bytes.toString('base64') }],
      scheduled_at: '2096-11-21T05:26:01.123Z',
    });
    const id = await host.run(sendWithin, name, given, 'commit', `long ${name}`);
    const [found, hash] = await host.run(async ({ emails }, id) => {
      const found = await emails.get('one', id);
      const { data } = await emails.attachments('one', id);
      const { createHash } = await import('node:crypto');
      const hash = createHash('sha256');
      for await (const piece of await emails.openAttachment('one', id, data[0]?.id ?? '')) hash.update(piece);
      return [found, hash.digest('hex')] as const;
    }, id);
    expect(found?.html === html).toBe(true);
    expect(found?.to).toEqual(given.to);
    expect(found?.scheduled_at).toContain('2096-11-21 05:26:01.123');
    expect(hash).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('has subscriptions, or rolls them back', async () => {
    const count = await host.run(async ({ connect, dataSource, subscribe, unsubscribe }, name) => {
      const client = await connect(name);
      const subscription = {
        subscriber: `of-${name.toLowerCase()}`,
        key: 'k',
        accountId: 'one',
        types: ['sent', 'a,b'],
      };
      const rows = () =>
        dataSource.query('SELECT types FROM nestjs_emails.event_subscriptions WHERE subscriber = $1', [
          subscription.subscriber,
        ]);
      await client
        .transact(async ({ transaction }) => {
          await subscribe(transaction, subscription);
          throw new Error('Changed my mind.');
        })
        .catch(() => {});
      const found = [await rows()];
      await client.transact(({ transaction }) => subscribe(transaction, subscription));
      found.push(await rows());
      await client.transact(({ transaction }) => unsubscribe(transaction, subscription));
      found.push(await rows());
      await client.close();
      return found;
    }, name);
    expect(count).toEqual([[], [{ types: ['sent', 'a,b'] }], []]);
  });

  it.each(['commit', 'rollback'])('is refused after its %s, with nothing written', async (end) => {
    const before = await footprint(host);
    const said = await host.run(
      async ({ emails, connect }, name, end, given) => {
        const client = await connect(name);
        const held: { transaction?: Parameters<typeof emails.wake>[0] | object } = {};
        await client
          .transact(async ({ transaction }) => {
            held.transaction = transaction;
            if (end === 'rollback') throw new Error('Changed my mind.');
          })
          .catch(() => {});
        const send = emails.send('one', given, { transaction: held.transaction as never, idempotencyKey: 'late' });
        const said = await send.then(
          () => 'sent',
          ({ message }) => message,
        );
        await client.close();
        return said;
      },
      name,
      end,
      email(),
    );
    expect(said).not.toBe('sent');
    expect(said).toMatch(/not open|already|closed|committed|rolled back|released/i);
    expect(await footprint(host)).toEqual(before);
  });
});

it('a client out of the pool of TypeORM joins when it is the only connection', async () => {
  const narrow = await SmallHost.prepare(sink, { role: 'api' });
  await narrow.startWith({ dataSource: { poolSize: 1 } });
  const id = await narrow.run(async ({ emails, dataSource }, given) => {
    const runner = dataSource.createQueryRunner();
    const client = await runner.connect();
    await client.query('BEGIN');
    const { id } = await emails.send('one', given, { transaction: client });
    await client.query('COMMIT');
    await runner.release();
    return id;
  }, email());
  expect(await narrow.query('SELECT FROM nestjs_emails.emails WHERE id = $1', [id])).toHaveLength(1);
});

it('first emails of accounts with a quota need no second connection, and are within it', async () => {
  const narrow = await SmallHost.prepare(sink, { role: 'api', quota: { perDay: 2 } });
  await narrow.startWith({ dataSource: { poolSize: 2 } });
  const said = await narrow.run(async ({ emails, dataSource }, given) => {
    let opened = 0;
    let allOpen = () => {};
    const areOpen = new Promise<void>((resolve) => {
      allOpen = resolve;
    });
    const sendFirst = (account: string) =>
      dataSource.transaction(async (manager) => {
        opened += 1;
        if (opened === 2) allOpen();
        await areOpen;
        const send = (to: string[]) => emails.send(account, { ...given, to }, { transaction: manager });
        const refused = await send(['a@to.test', 'b@to.test', 'c@to.test']).catch(({ name }: Error) => name);
        await send(['a@to.test', 'b@to.test']);
        return refused;
      });
    return Promise.all(['first', 'second'].map(sendFirst));
  }, email());
  expect(said).toEqual(['daily_quota_exceeded', 'daily_quota_exceeded']);
  expect(await narrow.query('SELECT FROM nestjs_emails.emails')).toHaveLength(2);
});

describe('an email that needs what another open transaction holds', () => {
  const content = Buffer.from('held').toString('base64');
  const needs = {
    key: [email(), 'held'],
    message_id: [email({ message_id: '<held@shop.test>' })],
    attachment: [email({ attachments: [{ filename: 'a.txt', content }] })],
  } satisfies Record<string, [SendEmail, string?]>;

  it('waits for 15 s and is refused, whatever it waits for', async () => {
    const waits = await host.run(
      async ({ emails, connect }, needs) => {
        const holder = await connect('pg');
        const waits = await holder.transact(async ({ transaction }) => {
          for (const [given, idempotencyKey] of needs) await emails.send('one', given, { transaction, idempotencyKey });
          const waiting = (['EntityManager', 'pg'] as const).flatMap((name) =>
            needs.map(async ([given, idempotencyKey]) => {
              const client = await connect(name);
              const started = performance.now();
              const status = await client
                .transact(({ transaction }) => emails.send('one', given, { transaction, idempotencyKey }))
                .catch(({ statusCode }) => statusCode);
              await client.close();
              return { status, seconds: (performance.now() - started) / 1_000 };
            }),
          );
          return Promise.all(waiting);
        });
        await holder.close();
        return waits;
      },
      Object.values(needs) as [SendEmail, string?][],
    );
    expect(waits).toHaveLength(6);
    for (const { status, seconds } of waits) {
      expect(status).toBe(503);
      expect(seconds).toBeGreaterThan(14);
      expect(seconds).toBeLessThan(25);
    }
  });

  it('waits for as long as the `lock_timeout` of its transaction says, which stays as it is', async () => {
    const [settings, status] = await host.run(async ({ emails, connect, dataSource }, given) => {
      const pg = await import('pg');
      const client = new pg.default.Client({ connectionString: (dataSource.options as { url: string }).url });
      await client.connect();
      await client.query('BEGIN');
      const settings: string[] = [];
      const send = async (idempotencyKey: string) => {
        await emails.send('one', given, { transaction: client, idempotencyKey });
        settings.push((await client.query('SHOW lock_timeout')).rows[0].lock_timeout);
      };
      await send('free');
      await client.query("SET LOCAL lock_timeout = '300ms'");
      await send('free too');
      const holder = await connect('pg');
      const status = await holder.transact(async ({ transaction }) => {
        await emails.send('one', given, { transaction, idempotencyKey: 'held for long' });
        return send('held for long').catch(({ statusCode }) => statusCode);
      });
      await Promise.all([client.end(), holder.close()]);
      return [settings, status] as const;
    }, email());
    expect([settings, status]).toEqual([['0', '300ms'], 503]);
  });
});

it('the old option `manager` is refused, with nothing written', async () => {
  const before = await footprint(host);
  const said = await host.run(async ({ emails, dataSource }, given) => {
    const refused = (work: (manager: object) => Promise<unknown>) =>
      dataSource.transaction(work).then(String, ({ message }) => message);
    return [
      await refused((manager) => emails.send('one', given, { manager } as object)),
      await refused((manager) => emails.sendBatch('one', [given], { manager } as object)),
      await refused((manager) => emails.send('one', given, manager)),
    ];
  }, email());
  expect(said).toEqual([
    'EmailsService.send: `manager` is now `transaction`.',
    'EmailsService.sendBatch: `manager` is now `transaction`.',
    'EmailsService.send: Pass `{ transaction }`.',
  ]);
  expect(await footprint(host)).toEqual(before);
});

it.each(['drizzle', 'knex', 'prisma'])('the guide shows the lines for %s as they are here', (name) => {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  const recipe = read(`../hosts/transactions/recipes/${name}.ts`);
  expect(read('../../docs/guides/transactions.md')).toContain(`\`\`\`ts\n${recipe}\`\`\``);
});

it('an email with an invisible commit is found by the sweep', async () => {
  const swept = await SmallHost.start(sink, { delivery: { sweepInterval: 200 } });
  await swept.query('CREATE TABLE orders (id integer)');
  const id = await swept.run(async ({ emails, connect }, given) => {
    const client = await connect('pg');
    const { id } = await client.transact(({ transaction }) => emails.send('one', given, { transaction }));
    await client.close();
    return id;
  }, email());
  await sink.waitFor(carries(id));
});

describe('an object that is not an open transaction of the database', () => {
  it('is refused with a remedy, with a key and without', async () => {
    const before = await footprint(host);
    const said = await host.run(async ({ emails, dataSource }, given) => {
      const pg = await import('pg');
      const pool = new pg.default.Pool({ connectionString: (dataSource.options as { url: string }).url });
      const closed = new pg.default.Client({ connectionString: (dataSource.options as { url: string }).url });
      await closed.connect();
      await closed.end();
      const wrong: [string, unknown][] = [
        ['pool', pool],
        ['data source', dataSource],
        ['manager', dataSource.manager],
        ['nothing', null],
        ['a function', () => []],
        ['no query', { raw: () => [] }],
        ['rows alone', { query: async () => [] }],
        ['lists', { query: async () => ({ rows: [[1]] }) }],
        ['closed', closed],
      ];
      const said: Record<string, string[]> = {};
      for (const [what, transaction] of wrong) {
        said[what] = [];
        for (const idempotencyKey of [undefined, 'k']) {
          const options = { transaction: transaction as never, idempotencyKey };
          const sends = [emails.send('one', given, options), emails.sendBatch('one', [given], options)];
          const ends = sends.map((send: Promise<object>) => send.then(String, ({ message }) => message));
          said[what].push(...(await Promise.all(ends)));
        }
      }
      await pool.end();
      return said;
    }, email());
    const four = (text: string) => Array(4).fill(expect.stringContaining(text));
    expect(said).toEqual({
      pool: four('`transaction` is not open'),
      'data source': four('`transaction` is not open'),
      manager: four('`transaction` is not open'),
      nothing: four('`transaction` must be an EntityManager'),
      'a function': four('`transaction` must be an EntityManager'),
      'no query': four('`transaction` must be an EntityManager'),
      'rows alone': four('`transaction.query` must resolve to `{ rows }`'),
      lists: four('`transaction.query` must resolve to `{ rows }`'),
      closed: four('Client was closed'),
    });
    expect(await footprint(host)).toEqual(before);
  });

  it('subscribes nothing, and ends no subscription', async () => {
    const [said, rows] = await host.run(async ({ dataSource, subscribe, unsubscribe }) => {
      const pg = await import('pg');
      const pool = new pg.default.Pool({ connectionString: (dataSource.options as { url: string }).url });
      const idle = await pool.connect();
      const of = (key: string) => ({ subscriber: 'without', key, accountId: 'one', types: ['sent'] });
      await dataSource.transaction((manager) => subscribe(manager, of('kept')));
      const said: string[] = [];
      for (const wrong of [pool, idle, dataSource, dataSource.manager]) {
        await subscribe(wrong as never, of('new')).catch(({ message }) => said.push(message));
        await unsubscribe(wrong as never, of('kept')).catch(({ message }) => said.push(message));
      }
      idle.release();
      await pool.end();
      const sql = "SELECT key FROM nestjs_emails.event_subscriptions WHERE subscriber = 'without'";
      return [said, await dataSource.query(sql)] as const;
    });
    expect(said).toEqual(Array(8).fill(expect.stringContaining('`transaction` is not open')));
    expect(rows).toEqual([{ key: 'kept' }]);
  });

  it('is refused of a role without rights, and joins once that has them', async () => {
    const role = `joins_${randomUUID().replaceAll('-', '')}`;
    const send = () =>
      host.run(
        async ({ emails, connect }, role, given) => {
          const client = await connect('pg');
          const said = await client
            .transact(async ({ transaction, run }) => {
              await run(`SET LOCAL ROLE ${role}`);
              return (await emails.send('one', given, { transaction, idempotencyKey: role })).id;
            })
            .catch(({ message }) => message);
          await client.close();
          return said;
        },
        role,
        email({ attachments: [{ filename: 'a.txt', content: Buffer.from(role).toString('base64') }] }),
      );
    await host.query(`CREATE ROLE ${role}`);
    try {
      expect(await send()).toContain('The role of `transaction` lacks rights on the schema `nestjs_emails`');
      for (const right of RIGHTS) await host.query(`${right} TO ${role}`);
      expect(await exists(await send())).toBe(true);
    } finally {
      await host.query(`DROP OWNED BY ${role}`);
      await host.query(`DROP ROLE ${role}`);
    }
  });

  it('is refused on another database, and goes on', async () => {
    for (const { url } of [await freshDatabase(), await emptyDatabase()]) {
      const said = await host.run(
        async ({ emails }, given, url) => {
          const pg = await import('pg');
          const client = new pg.default.Client({ connectionString: url });
          await client.connect();
          await client.query('BEGIN');
          const said = await emails.send('one', given, { transaction: client }).catch(({ message }) => message);
          const { rows } = await client.query('SELECT 1 AS one');
          await client.end();
          return [said, rows];
        },
        email(),
        url,
      );
      expect(said).toEqual([expect.stringContaining('`transaction` is of another database'), [{ one: 1 }]]);
    }
  });

  it('stays failed when it has failed before', async () => {
    const said = await host.run(async ({ emails, connect }, given) => {
      const client = await connect('pg');
      const said = await client
        .transact(async ({ transaction, run }) => {
          await run('SELECT 1 / 0').catch(() => {});
          await emails.send('one', given, { transaction });
        })
        .catch(({ message }) => message);
      await client.close();
      return said;
    }, email());
    expect(said).toContain('current transaction is aborted');
  });
});
