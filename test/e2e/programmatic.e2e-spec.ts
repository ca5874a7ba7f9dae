import type { SendEmail } from 'nestjs-emails';
import type { DataSource } from 'typeorm';
import { until } from '../support/basics/wait-for.js';
import { CANARY, letter } from '../support/hosts/contract-host.js';
import { type HostTools, SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { footprint } from '../support/reading/footprint.js';
import { freshDatabase } from '../support/servers/postgres.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

let sink: SmtpSink;
let host: SmallHost;

/** A sweep that is too late for every test, so that delivered emails had a wake-up. */
const NO_SWEEP = { delivery: { sweepInterval: 600_000 } };

const email = (fields: object = {}) => letter(fields) as unknown as SendEmail;
const carries =
  (id: string) =>
  ({ raw }: SinkMessage) =>
    raw.includes(`<${id}@`);

const send = ({ emails }: HostTools, account: string, email: SendEmail, idempotencyKey?: string) =>
  emails.send(account, email, { idempotencyKey });

const sendWithin = ({ emails, dataSource }: HostTools, email: SendEmail, end: 'commit' | 'rollback') =>
  dataSource
    .transaction(async (manager) => {
      await manager.query('INSERT INTO orders VALUES (1)');
      const { id } = await emails.send('one', email, { transaction: manager });
      if (end === 'rollback') throw Object.assign(new Error('Changed my mind.'), { id });
      return id;
    })
    .catch((error: { id: string }) => error.id);

const orders = async () => (await host.query('SELECT * FROM orders')).length;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await SmallHost.start(sink, NO_SWEEP);
  await host.query('CREATE TABLE orders (id integer)');
});

beforeEach(() => host.query('TRUNCATE orders'));

describe(`EmailsService, queue on ${queueKind()}`, () => {
  it('sends, and shows what GET /emails shows', async () => {
    const sent = await host.run(send, 'one', email());
    expect(sent).toEqual({ id: expect.any(String) });
    await until(() =>
      host.run(async ({ emails }, id) => (await emails.get('one', id))?.last_event === 'sent', sent.id),
    );
    const [record, page] = await host.run(
      async ({ emails }, id) => Promise.all([emails.get('one', id), emails.list('one', { limit: 1 })]),
      sent.id,
    );
    const { body } = await host.request<{ data: object[] }>('GET', '/emails?limit=1');
    expect(page).toEqual(body);
    expect(record).toEqual((await host.request('GET', `/emails/${sent.id}`)).body);
    expect(record).toEqual({ ...body.data[0], tags: [], topic_id: null, priority: 'now' });
    expect(record).toMatchObject({ id: sent.id, text: CANARY });
  });

  it('opens an attachment for the account that has sent it, and for no other', async () => {
    const linking = await SmallHost.start(sink, {
      ...NO_SWEEP,
      secretKeys: ['s'.repeat(32)],
      publicUrl: 'http://a.test',
    });
    const attachments = [{ filename: 'a.txt', content: Buffer.from(CANARY).toString('base64') }];
    const { id } = await linking.run(send, 'one', email({ attachments }));
    const opened = await linking.run(async ({ emails }, id) => {
      const { data } = await emails.attachments('one', id);
      const read = async (account: string, email: string, file = data[0]?.id ?? '') => {
        let text = '';
        for await (const piece of await emails.openAttachment(account, email, file)) text += piece;
        return text;
      };
      const nobody = '0198f0c1-0000-7000-8000-000000000000';
      const asked = [read('one', id), read('another', id), read('one', nobody), read('one', id, nobody)];
      return Promise.all(asked.map((text) => text.catch(({ statusCode }) => String(statusCode))));
    }, id);
    expect(opened).toEqual([CANARY, '404', '404', '404']);
  });

  it('changes emails like the routes, by wake-ups alone, and notifies listeners', async () => {
    const later = email({ scheduled_at: '2096-11-21T05:26:01Z' });
    const [kept, dropped] = [await host.run(send, 'one', later), await host.run(send, 'one', later)];
    const answers = await host.run(
      async ({ emails }, kept, dropped) => [
        await emails.reschedule('one', kept, { scheduled_at: 'in 1 second' }),
        await emails.cancel('one', dropped),
        await emails.cancel('one', dropped),
      ],
      kept.id,
      dropped.id,
    );
    expect(answers.map(({ object, id }) => [object, id])).toEqual(
      [kept, dropped, dropped].map(({ id }) => ['email', id]),
    );
    await sink.waitFor(carries(kept.id));
    const refusals = await host.run(
      async ({ emails }, id) =>
        Promise.all(
          [
            emails.cancel('another', id),
            emails.cancel('one', '0198f0c1-0000-7000-8000-000000000000'),
            emails.cancel('one', 'none'),
            emails.retry('one', id),
            emails.reschedule('one', id, { scheduled_at: 'soon' }),
            emails.reschedule('one', id, {} as never),
          ].map((change) => change.catch(({ statusCode, name }) => `${statusCode} ${name}`)),
        ),
      dropped.id,
    );
    expect(refusals).toEqual([
      '404 not_found',
      '404 not_found',
      '422 invalid_parameter',
      '422 validation_error',
      '422 validation_error',
      '422 missing_required_field',
    ]);
    const told = await until(
      async () => {
        const events = await host.run(async ({ events }) => events);
        return events.filter(({ emailId }) => emailId === kept.id).length >= 3 && events;
      },
      { what: 'the listeners' },
    );
    const typesOf = (id: string) => told.filter(({ emailId }) => emailId === id).map(({ type }) => type);
    expect(typesOf(kept.id).slice(0, 3)).toEqual(['scheduled', 'scheduled', 'queued']);
    expect(typesOf(dropped.id)).toEqual(['scheduled', 'canceled']);
  });

  it('shows timeline and metrics like HTTP', async () => {
    const { id } = await host.run(send, 'one', email());
    await until(() => host.run(async ({ emails }, id) => (await emails.get('one', id))?.last_event === 'sent', id));
    const here = await host.run(
      async ({ emails }, id) => [
        await emails.events('one', id, { limit: 1 }),
        await emails.recipients('one', id),
        await emails.metrics('one', { email_id: id, dimensions: ['email'] }),
      ],
      id,
    );
    const paths = [`${id}/events?limit=1`, `${id}/recipients`, `metrics?email_id=${id}&dimensions=email`];
    const there = await Promise.all(paths.map(async (path) => (await host.request('GET', `/emails/${path}`)).body));
    const times = { start_date: expect.any(String), end_date: expect.any(String) };
    expect(here).toEqual([there[0], there[1], { ...there[2], ...times }]);
    expect(there[2]).toMatchObject({ data: [{ email_id: id, sent: 1 }] });
    const another = await host.run(
      async ({ emails }, id) => [await emails.events('two', id), await emails.recipients('two', id)].filter(Boolean),
      id,
    );
    expect(another).toEqual([]);
  });

  it('notifies listeners of every event, including the first one, after the commit', async () => {
    const { id } = await host.run(send, 'one', email());
    const told = () =>
      host.run(async ({ events }, id) => events.filter(({ emailId }) => emailId === id).map(({ type }) => type), id);
    await until(async () => (await told()).length === 2);
    expect(await told()).toEqual(['queued', 'sent']);
    const changedMyMind = await host.run(sendWithin, email(), 'rollback');
    const later = await host.run(sendWithin, email({ scheduled_at: '2096-11-21T05:26:01Z' }), 'commit');
    const events = await host.run(async ({ events }) => events);
    expect(events.filter(({ emailId }) => emailId === later).map(({ type }) => type)).toEqual(['scheduled']);
    const stored = await host.query<{ id: string; occurred_at: Date }>(
      'SELECT id, occurred_at FROM nestjs_emails.events WHERE email_id = $1 ORDER BY id',
      [id],
    );
    expect(events.filter(({ emailId }) => emailId === id)).toEqual(
      stored.map((row, index) => ({
        id: row.id,
        createdAt: row.occurred_at.toISOString(),
        accountId: 'one',
        emailId: id,
        type: ['queued', 'sent'][index],
        ...(index === 1 && {
          ...{ recipient: 'to@to.test', reason: expect.stringMatching(/^250 /), attempt: 1 },
          transport: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        }),
      })),
    );
    expect(events.map(({ emailId }) => emailId)).not.toContain(changedMyMind);
  });

  it('logs once why an email is not accepted, without addresses and replies', async () => {
    sink.onRcpt = () => '451 4.7.1 canary';
    const ids = [await host.run(send, 'one', email()), await host.run(send, 'one', email())].map(({ id }) => id);
    for (const id of ids) {
      await until(() =>
        host.run(async ({ emails }, id) => (await emails.get('one', id))?.last_event === 'delivery_delayed', id),
      );
    }
    sink.reset();
    const said = host.output.split('\n').filter((line) => line.includes('EmailDelivery'));
    expect(said).toEqual([
      expect.stringContaining(`An email was not accepted by ${new URL(sink.url).host}: 451 4.7.1.`),
    ]);
    expect(host.output).not.toContain('canary');
  });

  it.each([
    ['a missing field', { to: undefined }],
    ['an unknown field', { bcs: 'x@y.test' }],
    ['an invalid mailbox', { cc: ['a@b.c', 'a,b@c.d'] }],
    ['a NUL', { text: 'a\0b' }],
    ['half of a surrogate pair', { subject: '\ud800' }],
    ['a topic, when there are none', { topic_id: '11111111-1111-4111-8111-111111111111' }],
    ['a template, when there are none', { template: { id: 'x' }, text: undefined }],
    ['an attachment without content', { attachments: [{ filename: 'a.txt' }] }],
    ['a calendar date that does not exist', { scheduled_at: '2026-02-30T00:00:00Z' }],
  ])('refuses %s like HTTP, with nothing written', async (_, fields) => {
    const before = await footprint(host);
    const answer = await host.request<{ statusCode: number }>('POST', '/emails', { body: email(fields) });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    await expect(host.run(send, 'one', email(fields))).rejects.toMatchObject(answer.body);
    expect(await footprint(host)).toEqual(before);
  });

  it('treats undefined as absent, and accepts bytes as the content of an attachment', async () => {
    const { id } = await host.run(({ emails }, given) => {
      const attachments = [{ filename: 'a.bin', content: Buffer.from([1, 2, 3]), path: undefined }];
      return emails.send('one', { ...given, cc: undefined, headers: undefined, attachments });
    }, email());
    const { raw } = await sink.waitFor(carries(id));
    expect(raw.toString()).toContain('AQID');
  });

  it('repeats the first id for a key over HTTP or code, and 409 for another email', async () => {
    const { body } = await host.request<{ id: string }>('POST', '/emails', {
      body: email(),
      headers: { 'idempotency-key': 'k1' },
    });
    expect(await host.run(send, 'one', email(), 'k1')).toEqual({ id: body.id });
    await expect(host.run(send, 'one', email({ subject: 'Other' }), 'k1')).rejects.toMatchObject({
      statusCode: 409,
      name: 'invalid_idempotent_request',
    });
    await expect(host.run(send, 'one', email(), '')).rejects.toMatchObject({ name: 'invalid_idempotency_key' });
  });

  it('sends batches and resends by the rules of HTTP', async () => {
    const { data } = await host.run(({ emails }, given) => emails.sendBatch('one', [given, given]), email());
    for (const { id } of data) await sink.waitFor(carries(id));
    const [first] = data.map(({ id }) => id) as [string];
    const again = await host.run(
      ({ emails }, id) => emails.resend('one', id, { recipients: 'to@to.test' }, { idempotencyKey: 'again' }),
      first,
    );
    await sink.waitFor(carries(again.id));
    const wrong = host.run(({ emails }, given) => emails.sendBatch('one', [given, null as never]), email());
    await expect(wrong).rejects.toMatchObject({ statusCode: 422, message: expect.stringMatching(/^`\[1\]`/) });
    await expect(host.run(({ emails }) => emails.sendBatch('one', {} as never))).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(host.run(({ emails }, id) => emails.resend('two', id), first)).rejects.toMatchObject({
      statusCode: 404,
    });
    await expect(host.run(({ emails }) => emails.resend('one', 'x'))).rejects.toMatchObject({
      name: 'invalid_parameter',
    });
  });

  it('separates accounts', async () => {
    const { id } = await host.run(send, 'two', email());
    const seen = await host.run(async ({ emails }, id) => [await emails.get('one', id)], id);
    expect(seen).toEqual([null]);
    expect((await host.request<object>('GET', `/emails?after=${id}`)).status).toBe(422);
  });
});

/** `message_id`, which Resend's API does not have. */
describe(`a message id that the caller gives, queue on ${queueKind()}`, () => {
  const TAKEN = {
    statusCode: 422,
    name: 'validation_error',
    message: expect.stringMatching(/`message_id` must be unique/),
  };
  const post = (message_id: string, headers = {}) =>
    host.request<{ id: string }>('POST', '/emails', { body: email({ message_id }), headers });

  it('is on the wire next to those that it answers, and unique within its account', async () => {
    const message_id = '<order-1.shipped@shop.test>';
    const headers = { 'In-Reply-To': '<order-1@shop.test>', References: '<order-1@shop.test>' };
    const { id } = await host.run(send, 'one', email({ message_id, headers }));
    const { raw } = await sink.waitFor(({ raw }) => raw.includes(`Message-ID: ${message_id}`));
    expect(raw.toString()).toMatch(/^In-Reply-To: <order-1@shop.test>\r$/m);
    expect(await host.run(({ emails }, id) => emails.get('one', id), id)).toMatchObject({ message_id });
    expect((await post(message_id)).body).toEqual(TAKEN);
    await expect(host.run(send, 'one', email({ message_id }))).rejects.toMatchObject(TAKEN);
    await host.run(send, 'two', email({ message_id }));
    expect((await post('<Order-1.shipped@shop.test>')).status).toBe(200);
  });

  it('is not a generated one of another email', async () => {
    const { id } = await host.run(send, 'one', email());
    expect((await post(`<${id}@from.test>`)).body).toEqual(TAKEN);
    await host.run(send, 'two', email({ message_id: `<${id}@from.test>` }));
  });

  it('is assigned to one of a hundred concurrent requests, and fails no other email', async () => {
    const before = await footprint(host);
    const others = host.run(
      ({ emails }, given) => Promise.all(Array.from({ length: 50 }, () => emails.send('two', given))),
      email(),
    );
    const named = Array.from({ length: 50 }, (_, n) => post(`<other-${n}@shop.test>`));
    const answers = await Promise.all(Array.from({ length: 100 }, () => post('<hundred@shop.test>')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 99 }, () => 422)]);
    expect(new Set((await Promise.all(named)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await others).toHaveLength(50);
    expect(await footprint(host)).toMatchObject({ emails: Number(before.emails) + 101 });
  });

  it('answers an idempotency key like the first time, and does not use up the key of a refusal', async () => {
    const key = { 'idempotency-key': 'thread' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('<keyed@shop.test>', key)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await post('<keyed@shop.test>', { 'idempotency-key': 'other' })).status).toBe(422);
    expect((await post('<free@shop.test>', { 'idempotency-key': 'other' })).status).toBe(200);
  });

  it('refused in a transaction, rolls back that email alone', async () => {
    await post('<joined@shop.test>');
    const [refused, id] = await host.run(
      async ({ emails, dataSource }, given, message_id) => {
        return dataSource.transaction(async (manager) => {
          await manager.query('INSERT INTO orders VALUES (1)');
          const options = { transaction: manager, idempotencyKey: 'joined' };
          const refused = await emails
            .send('one', { ...given, message_id }, options)
            .catch((error) => error.getResponse());
          const { id } = await emails.send('one', given, options);
          return [refused, id] as const;
        });
      },
      email(),
      '<joined@shop.test>',
    );
    expect(refused).toEqual(TAKEN);
    expect(await orders()).toBe(1);
    await sink.waitFor(carries(id));
  });

  it('held by a transaction, delays only requests with it', async () => {
    const sent = await host.run(
      async ({ emails, dataSource }, given, message_id) => {
        const waiting: Promise<{ id: string }>[] = [];
        await dataSource
          .transaction(async (manager) => {
            await emails.send('one', { ...given, message_id }, { transaction: manager });
            waiting.push(emails.send('one', { ...given, message_id }));
            await emails.send('one', { ...given, message_id: '<beside@shop.test>' });
            throw new Error('Changed my mind.');
          })
          .catch(() => {});
        return Promise.all(waiting);
      },
      email(),
      '<held@shop.test>',
    );
    expect(sent).toEqual([{ id: expect.any(String) }]);
  });
});

describe(`a transaction that an email joins, queue on ${queueKind()}`, () => {
  it('commits both, and the email is on its way at once', async () => {
    const id = await host.run(sendWithin, email(), 'commit' as const);
    await sink.waitFor(carries(id));
    expect(await orders()).toBe(1);
  });

  it('may be of another data source of the same database, and is refused for another database', async () => {
    const copy = await freshDatabase();
    const [same, other] = await host.run(
      async ({ emails, dataSource }, email, ...urls) =>
        Promise.all(
          urls.map(async (url) => {
            const Source = dataSource.constructor as typeof DataSource;
            const another = await new Source({ type: 'postgres', url, installExtensions: false }).initialize();
            try {
              return await another.transaction(
                async (manager) => (await emails.send('one', email, { transaction: manager })).id,
              );
            } catch (error) {
              return String(error);
            } finally {
              await another.destroy();
            }
          }),
        ),
      email(),
      host.databaseUrl,
      copy.url,
    );
    expect(await host.run(async ({ emails }, id) => Boolean(await emails.get('one', id)), String(same))).toBe(true);
    expect(other).toContain('`transaction` is of another database');
  });

  it('rolls both back, attachments and key included', async () => {
    const before = await footprint(host);
    const id = await host.run(
      sendWithin,
      email({ attachments: [{ filename: 'a.txt', content: 'cm9sbGVkIGJhY2s=' }] }),
      'rollback' as const,
    );
    expect(await footprint(host)).toEqual(before);
    expect(await orders()).toBe(0);
    const next = await host.run(send, 'one', email());
    await sink.waitFor(carries(next.id));
    expect(sink.offered.filter(carries(id))).toEqual([]);
  });

  it('sends exactly the emails of released savepoints', async () => {
    const [kept, dropped] = await host.run(async ({ emails, dataSource }, given) => {
      return dataSource.transaction(async (manager) => {
        const kept = await manager.transaction((inner) => emails.send('one', given, { transaction: inner }));
        let dropped = '';
        await manager
          .transaction(async (inner) => {
            dropped = (await emails.send('one', given, { transaction: inner })).id;
            throw new Error('Changed my mind.');
          })
          .catch(() => {});
        return [kept.id, dropped] as const;
      });
    }, email());
    await sink.waitFor(carries(kept));
    expect(await host.query('SELECT id FROM nestjs_emails.emails WHERE id = $1', [dropped])).toEqual([]);
  });

  it('does not delay other senders of its account, and is listed in the order of commits', async () => {
    const [joined, other] = await host.run(async ({ emails, dataSource }, given) => {
      return dataSource.transaction(async (manager) => {
        const joined = await emails.send('one', given, { transaction: manager });
        const other = await emails.send('one', given);
        return [joined.id, other.id] as const;
      });
    }, email());
    const { body } = await host.request<{ data: { id: string }[] }>('GET', '/emails?limit=2');
    expect(body.data.map(({ id }) => id)).toEqual([joined, other]);
    // Its time matches its number, so that filters by time find it.
    const filtered = '/emails?limit=2&start_date=2020-01-01';
    for (const query of [filtered, `${filtered}&from=@from.test`]) {
      const found = await host.request<{ data: { id: string }[] }>('GET', query);
      expect(found.body.data.map(({ id }) => id)).toEqual([joined, other]);
    }
    const newer = await host.request<{ data: { id: string }[] }>('GET', `/emails?before=${other}`);
    expect(newer.body.data.map(({ id }) => id)).toEqual([joined]);
  });

  it('needs no second connection, so that as many as the pool has do not deadlock', async () => {
    const ids = await host.run(
      async ({ emails, dataSource }, given) => {
        return Promise.all(
          Array.from({ length: 30 }, (_, index) =>
            dataSource.transaction(async (manager) => {
              const { id } = await emails.send('one', given, { transaction: manager, idempotencyKey: `pool-${index}` });
              return id;
            }),
          ),
        );
      },
      email({ attachments: [{ filename: 'a.txt', content: 'cG9vbA==' }] }),
    );
    expect(new Set(ids).size).toBe(30);
    await Promise.all(ids.map((id) => sink.waitFor(carries(id))));
  });

  it('sees its own idempotency keys, and frees them on a rollback', async () => {
    const ids = await host.run(async ({ emails, dataSource }, given) => {
      const twice = (end: boolean) =>
        dataSource.transaction(async (manager) => {
          const options = { transaction: manager, idempotencyKey: 'own' };
          const found = [await emails.send('one', given, options), await emails.send('one', given, options)];
          if (!end) throw Object.assign(new Error('Changed my mind.'), { found });
          return found;
        });
      return [await twice(false).catch((error) => error.found), await twice(true)];
    }, email());
    const [[a, b], [c, d]] = ids as { id: string }[][] as [[object, object], [object, object]];
    expect(a).toEqual(b);
    expect(c).toEqual(d);
    expect(a).not.toEqual(c);
  });

  it('has a whole batch, or rolls it back, with its key', async () => {
    const [kept, again, dropped] = await host.run(
      async ({ emails, dataSource }, given) => {
        const batch = (idempotencyKey: string, end: boolean) =>
          dataSource
            .transaction(async (manager) => {
              const options = { transaction: manager, idempotencyKey, validation: 'permissive' as const };
              const sent = await emails.sendBatch('one', [given, { ...given, to: 'x' }, given], options);
              if (!end) throw Object.assign(new Error('Changed my mind.'), { sent });
              return sent;
            })
            .catch((error) => error.sent);
        const dropped = await batch('joined batch', false);
        return [await batch('joined batch', true), await batch('joined batch', true), dropped];
      },
      email({ attachments: [{ filename: 'a.txt', content: 'YmF0Y2g=' }] }),
    );
    expect(kept).toEqual({
      data: [{ id: expect.any(String) }, { id: expect.any(String) }],
      errors: [{ index: 1, message: expect.stringContaining('`to') }],
    });
    expect(again).toEqual(kept);
    for (const { id } of kept.data) await sink.waitFor(carries(id));
    const ids = dropped.data.map(({ id }: { id: string }) => id);
    expect(await host.query('SELECT id FROM nestjs_emails.emails WHERE id = ANY($1)', [ids])).toEqual([]);
  });

  it('is refused if it is not open', async () => {
    const before = await footprint(host);
    await expect(
      host.run(
        ({ emails, dataSource }, given) => emails.send('one', given, { transaction: dataSource.manager }),
        email(),
      ),
    ).rejects.toMatchObject({ message: expect.stringContaining('`transaction` is not open.') });
    expect(await footprint(host)).toEqual(before);
  });

  it('that ends by a plain COMMIT is found by the sweep', async () => {
    const swept = await SmallHost.start(sink, { delivery: { sweepInterval: 200 } });
    const { id } = await swept.run(async ({ emails, dataSource }, given) => {
      const runner = dataSource.createQueryRunner();
      await runner.startTransaction();
      const sent = await emails.send('one', given, { transaction: runner.manager });
      await runner.query('COMMIT');
      await runner.release();
      return sent;
    }, email());
    await sink.waitFor(carries(id));
  });
});
