import { randomUUID } from 'node:crypto';
import { Resend } from 'resend';
import { until } from '../support/basics/wait-for.js';
import { startFeedbackHost } from '../support/hosts/feedback-host.js';
import type { SmallHost } from '../support/hosts/small-host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { eventsOf, post, untilShown } from '../support/reading/deliveries.js';
import { headerLines } from '../support/reading/mime.js';
import { expectRefused, invalid, missing, type Refusal } from '../support/rules/refusals.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const TABLES = ['nestjs_emails.suppressions', 'nestjs_emails.actions'];
const NOT_FOUND: Refusal = { status: 404, name: 'not_found', message: /^Suppression not found$/ };
const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/;

interface Entry {
  id: string;
  email: string;
  origin: string;
  source_id: string | null;
  reason: string | null;
  expires_at: string | null;
}

let sink: SmtpSink;
let host: SmallHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await startFeedbackHost(sink);
});

beforeEach(() => sink.reset());

const request = async <T>(method: string, path: string, body?: unknown, status = 200): Promise<T> => {
  const answer = await host.request<T>(method, path, body === undefined ? {} : { body });
  expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
  return answer.body;
};
const add = async (email: string) => (await request<{ id: string }>('POST', '/suppressions', { email }, 201)).id;
const addAll = (emails: readonly string[], origin?: string) =>
  request<{ data: { id: string }[] }>('POST', '/suppressions/batch/add', { emails, origin }, 201);
const list = (query = '') => request<{ has_more: boolean; data: Entry[] }>('GET', `/suppressions${query}`);
const find = (idOrEmail: string) => request<Entry>('GET', `/suppressions/${encodeURIComponent(idOrEmail)}`);

describe(`/suppressions, queue on ${queueKind()}`, () => {
  it('adds, finds, lists and removes an address', async () => {
    const id = await add('  Ada@Example.COM ');
    const entry = {
      id,
      email: 'ada@example.com',
      origin: 'manual',
      source_id: null,
      created_at: expect.stringMatching(TIMESTAMP),
      reason: null,
      expires_at: null,
    };
    expect(await find(id)).toEqual({ object: 'suppression', ...entry });
    expect(await find('ADA@example.com')).toMatchObject(entry);
    // Curl sends it as it is.
    expect(await request('GET', '/suppressions/ada@example.com')).toMatchObject(entry);
    expect(await list('?limit=1')).toEqual({ object: 'list', has_more: expect.any(Boolean), data: [entry] });
    const removed = { object: 'suppression', id, deleted: true };
    expect(await request('DELETE', '/suppressions/ada%40example.com')).toEqual(removed);
    await expectRefused(host, ['DELETE', `/suppressions/${id}`], NOT_FOUND, TABLES);
    await expectRefused(host, ['GET', '/suppressions/ada@example.com'], NOT_FOUND, TABLES);
  });

  it('keeps one entry for every spelling of an address', async () => {
    const id = await add('two@bücher.example');
    for (const spelling of ['TWO@bücher.example', 'two@xn--bcher-kva.example', '"two"@BÜCHER.example'])
      expect(await add(spelling)).toBe(id);
    expect(await add('two+folder@bücher.example')).not.toBe(id);
  });

  it('keeps one entry for 100 concurrent requests', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => add(n % 2 ? 'same@to.test' : 'SAME@to.test')));
    expect(new Set(ids).size).toBe(1);
    const batches = await Promise.all(
      Array.from({ length: 10 }, (_, n) => {
        const emails = Array.from({ length: 50 }, (_, at) => `many${at}@to.test`);
        return addAll(n % 2 ? emails : emails.toReversed());
      }),
    );
    expect(new Set(batches.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(50);
  });

  it('adds a batch once for each address, and removes what is there', async () => {
    const first = await add('batch-1@to.test');
    const { data } = await addAll(['batch-2@to.test', 'BATCH-1@to.test', 'batch-2@TO.test']);
    expect(data).toHaveLength(2);
    expect(data).toContainEqual({ object: 'suppression', id: first });
    const emails = ['batch-1@to.test', 'nobody@to.test', 'batch-1@TO.test'];
    expect(await request('POST', '/suppressions/batch/remove', { emails })).toEqual({
      data: [{ object: 'suppression', id: first, deleted: true }],
    });
    const ids = [...data.map(({ id }) => id), randomUUID()];
    const removed = await request<{ data: object[] }>('POST', '/suppressions/batch/remove', { ids });
    expect(removed.data).toHaveLength(1);
  });

  it.each<[string, string, object, Refusal]>([
    ['no address', '', {}, missing('email')],
    ['an address with a name', '', { email: 'Ada <ada@to.test>' }, invalid('`email`')],
    ['two addresses', '', { email: 'a@to.test, b@to.test' }, invalid('`email`')],
    ['control characters', '', { email: 'a\0b@to.test' }, { ...invalid(''), name: expect.any(String) as never }],
    ['a line break', '', { email: 'a@to.test\r\nBcc: b@to.test' }, invalid('`email`')],
    ['no list', '/batch/add', { emails: 'a@to.test' }, invalid('`emails` must be an array of 1 to 100 addresses')],
    ['an empty list', '/batch/add', { emails: [] }, missing('emails')],
    ['101 addresses', '/batch/add', { emails: Array(101).fill('a@to.test') }, invalid('1 to 100')],
    ['one bad address', '/batch/add', { emails: ['good@to.test', 'bad', 7] }, invalid('`emails[1]`')],
    ['an unknown origin', '/batch/add', { emails: ['a@to.test'], origin: 'spam' }, invalid('`origin`')],
    ['nothing to remove', '/batch/remove', {}, invalid('Give `emails` or `ids`')],
    ['both to remove', '/batch/remove', { emails: ['a@to.test'], ids: [randomUUID()] }, invalid('Give `emails` or')],
    ['an invalid id', '/batch/remove', { ids: ['x'] }, invalid('`ids`')],
  ])('refuses %s', async (_, path, body, refusal) => {
    await expectRefused(host, ['POST', `/suppressions${path}`, { body }], refusal, TABLES);
  });

  it.each(['%00', '..', 'x', '@', "'%20OR%201=1--", '%F0%9F%A6%8A@to.test', `${'x'.repeat(5_000)}@to.test`])(
    'finds nothing for %s',
    async (text) => {
      const { status } = await host.request('GET', `/suppressions/${text}`);
      expect([400, 404, 414]).toContain(status);
    },
  );

  it('keeps the origin of an imported list; only a complaint overrides one', async () => {
    await addAll(['moved@to.test'], 'bounce');
    expect(await find('moved@to.test')).toMatchObject({ origin: 'bounce', source_id: null });
    await add('moved@to.test');
    expect(await find('moved@to.test')).toMatchObject({ origin: 'bounce' });
    await addAll(['moved@to.test'], 'complaint');
    expect(await find('moved@to.test')).toMatchObject({ origin: 'complaint' });
    await addAll(['moved@to.test'], 'bounce');
    expect(await find('moved@to.test')).toMatchObject({ origin: 'complaint' });
  });

  it('pages through entries of one origin, and of all', async () => {
    const emails = Array.from({ length: 120 }, (_, n) => `page${n}@to.test`);
    for (let at = 0; at < emails.length; at += 60) {
      await addAll(emails.slice(at, at + 30), 'complaint');
      await addAll(emails.slice(at + 30, at + 60));
    }
    for (const [query, limit] of [
      ['origin=complaint&', 10],
      ['', 100],
    ] as const) {
      const pages: Entry[] = [];
      for (let cursor = '', more = true; more; ) {
        const page = await list(`?${query}limit=${limit}${cursor}`);
        pages.push(...page.data);
        more = page.has_more;
        cursor = `&after=${page.data.at(-1)?.id}`;
      }
      const found = pages.map(({ email }) => email).filter((email) => email.startsWith('page'));
      expect(new Set(found).size).toBe(found.length);
      expect(found).toHaveLength(query ? 60 : 120);
      if (query) expect(new Set(pages.map(({ origin }) => origin))).toEqual(new Set(['complaint']));
      const newer = await list(`?${query}limit=10&before=${pages[15]?.id}`);
      expect(newer.data.map(({ id }) => id)).toEqual(pages.slice(5, 15).map(({ id }) => id));
    }
    const [manual] = (await list('?origin=manual&limit=1')).data;
    await expectRefused(host, ['GET', `/suppressions?origin=bounce&after=${manual?.id}`], invalid('`after`'), TABLES);
    await expectRefused(host, ['GET', '/suppressions?origin=other'], invalid('`origin`'), TABLES);
  });

  it('answers the official client', async () => {
    const resend = new Resend(host.token, { baseUrl: host.url });
    const added = await resend.suppressions.add({ email: 'sdk+tag@to.test' });
    expect(added).toMatchObject({ error: null, data: { object: 'suppression', id: expect.any(String) } });
    const id = added.data?.id as string;
    expect((await resend.suppressions.get('sdk+tag@to.test')).data).toMatchObject({ object: 'suppression', id });
    expect((await resend.suppressions.list({ origin: 'manual', limit: 1 })).data?.data).toMatchObject([{ id }]);
    const batch = await resend.suppressions.batch.add({ emails: ['sdk-2@to.test', 'sdk+tag@to.test'] });
    expect(batch.data?.data).toHaveLength(2);
    const removed = await resend.suppressions.batch.remove({ emails: ['sdk-2@to.test'] });
    expect(removed.data?.data).toMatchObject([{ object: 'suppression', deleted: true }]);
    expect((await resend.suppressions.remove(id)).data).toEqual({ object: 'suppression', id, deleted: true });
    expect((await resend.suppressions.get(id)).error).toMatchObject({ name: 'not_found', statusCode: 404 });
  });
});

describe('delivery', () => {
  const gotCopy = () => sink.messages.flatMap(({ envelope }) => envelope.to).sort();

  it('keeps back a suppressed recipient, hides it from the others, and records it alone', async () => {
    await add('Listed@to.test');
    const id = await post(host, ['stays@to.test', 'listed@TO.test']);
    await untilShown(host, id, 'sent');
    expect(gotCopy()).toEqual(['stays@to.test']);
    expect(sink.messages.flatMap(({ raw }) => headerLines(raw)).join('\n')).not.toMatch(/listed/i);
    expect(await eventsOf(host, id)).toContainEqual({
      type: 'suppressed',
      recipient: 'listed@to.test',
      reason: 'The address was put on the suppression list by hand.',
    });
  });

  it('ends an email to suppressed recipients alone as suppressed, without contact to the next hop', async () => {
    await addAll(['one@listed.test', 'two@listed.test']);
    const id = await post(host, ['one@listed.test', 'two@listed.test']);
    await untilShown(host, id, 'suppressed');
    const types = (await eventsOf(host, id)).map(({ type }) => type);
    expect(types).toEqual(['queued', 'suppressed', 'suppressed']);
    expect(sink.offered).toEqual([]);
  });

  it('asks at delivery: an address that is removed gets the next email', async () => {
    await add('again@to.test');
    const later = { scheduled_at: new Date(Date.now() + 60_000).toISOString() };
    const id = await post(host, 'again@to.test', later);
    await request('DELETE', '/suppressions/again@to.test');
    await request('PATCH', `/emails/${id}`, { scheduled_at: new Date(Date.now() + 200).toISOString() });
    await untilShown(host, id, 'sent');
    expect(gotCopy()).toEqual(['again@to.test']);
  });
});

/** The types of `suppression.*` events about an address, in their order. */
const toldOf = (email: string) =>
  host.run(async (_, email) => (globalThis.told ?? []).filter(({ data }) => data.email === email), email);

const PERMANENT = { type: 'Permanent', subType: 'General' } as const;

async function sent(to: string): Promise<string> {
  const id = await post(host, to);
  await untilShown(host, id, 'sent');
  return id;
}

const report = (emailId: string, recipient: string, outcome: object) =>
  host.run(({ emails }, outcome) => emails.report(outcome as never), { emailId, recipient, source: 'dsn', ...outcome });

const bounce = (emailId: string, recipient: string, code = 'address_unknown') =>
  report(emailId, recipient, {
    kind: 'bounced',
    code,
    reply: '550 5.1.1 No such user',
    bounce: { ...PERMANENT, operator: 'gmail' },
  });

describe('an address that', () => {
  const untilFound = async (email: string) => {
    await until(async () => (await host.request('GET', `/suppressions/${email}`)).status === 200);
    return find(email);
  };

  it('bounces is suppressed on the next send, removed, and sent to again', async () => {
    const id = await sent('Gone@to.test');
    expect(await bounce(id, 'Gone@to.test')).toBe('recorded');
    expect(await untilFound('gone@to.test')).toMatchObject({
      origin: 'bounce',
      source_id: id,
      reason: '550 5.1.1 No such user',
      expires_at: null,
    });
    const next = await post(host, 'gone@to.test');
    await untilShown(host, next, 'suppressed');
    expect(await eventsOf(host, next)).toContainEqual({
      type: 'suppressed',
      recipient: 'gone@to.test',
      reason: '550 5.1.1 No such user',
    });
    await request('DELETE', '/suppressions/gone@to.test');
    await sent('gone@to.test');
    expect(sink.messages).toHaveLength(2);
    await until(async () => (await toldOf('gone@to.test')).length === 2);
    const data = { email: 'gone@to.test', origin: 'bounce', source_id: id, id: expect.any(String) };
    const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await toldOf('gone@to.test')).toEqual([
      { type: 'suppression.added', data: { ...data, created_at } },
      { type: 'suppression.removed', data: { ...data, created_at } },
    ]);
  });

  it('complains is suppressed, whatever entry there was', async () => {
    const id = await sent('angry@to.test');
    await add('angry@to.test');
    await report(id, 'angry@to.test', { kind: 'complained', source: 'feedback' });
    await until(async () => (await find('angry@to.test')).origin === 'complaint');
    expect(await find('angry@to.test')).toMatchObject({ source_id: id, expires_at: null });
  });

  it('bounces for another cause stays', async () => {
    const [id, last] = [await sent('spam@to.test'), await sent('mark@to.test')];
    await bounce(id, 'spam@to.test', 'content_rejected');
    await bounce(last, 'mark@to.test');
    await untilFound('mark@to.test');
    await expectRefused(host, ['GET', '/suppressions/spam@to.test'], NOT_FOUND, TABLES);
  });

  const giveUp = async (email: string) => {
    sink.onRcpt = (address) => (address === email ? '452 4.2.2 Mailbox full' : undefined);
    const id = await post(host, email);
    await untilShown(host, id, 'failed');
    return id;
  };
  const counted = async (email: string) =>
    (await host.query('SELECT FROM nestjs_emails.soft_bounces WHERE email_key = $1', [email])).length;

  it('takes no mail three times in a row is suppressed for 14 days', async () => {
    for (const count of [1, 2]) {
      await giveUp('full@to.test');
      await until(async () => (await counted('full@to.test')) === count);
    }
    const id = await giveUp('full@to.test');
    const entry = await untilFound('full@to.test');
    expect(entry).toMatchObject({ origin: 'bounce', source_id: id, reason: '452 4.2.2 Mailbox full' });
    const days = (Date.parse(String(entry.expires_at)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(13.9);
    expect(days).toBeLessThan(14.1);

    await host.query(
      "UPDATE nestjs_emails.suppressions SET expires_at = now() - interval '1 s' WHERE email = 'full@to.test'",
    );
    await expectRefused(host, ['GET', '/suppressions/full@to.test'], NOT_FOUND, TABLES);
    sink.reset();
    await sent('full@to.test');
    // It can be added again before it is cleaned up.
    const again = await add('full@to.test');
    expect(again).not.toBe(entry.id);
    await until(async () => (await toldOf('full@to.test')).length === 3);
    const told = (await toldOf('full@to.test')).map(({ type }) => type);
    expect(told).toEqual(['suppression.added', 'suppression.removed', 'suppression.added']);
  });

  it('takes mail in between starts its count again', async () => {
    for (const count of [1, 2]) {
      await giveUp('half@to.test');
      await until(async () => (await counted('half@to.test')) === count);
    }
    sink.reset();
    const id = await sent('half@to.test');
    await report(id, 'half@to.test', { kind: 'delivered' });
    await giveUp('half@to.test');
    await until(async () => (await counted('half@to.test')) === 1);
    await expectRefused(host, ['GET', '/suppressions/half@to.test'], NOT_FOUND, TABLES);
  });
});

describe('undo', () => {
  it('removes what bounces at one operator added in a time', async () => {
    const ids = await Promise.all(['u1@to.test', 'u2@to.test'].map(sent));
    const from = new Date(Date.now() - 1_000).toISOString();
    await host.query("UPDATE nestjs_emails.suppressions SET operator = 'yahoo'");
    for (const [at, id] of ids.entries()) await bounce(id, `u${at + 1}@to.test`);
    await until(async () => (await list('?origin=bounce')).data.filter(({ email }) => /^u\d/.test(email)).length === 2);
    const span = { operator: 'gmail', from, to: new Date(Date.now() + 60_000).toISOString() };
    const dry = await request<{ removed: number; data: Entry[] }>('POST', '/suppressions/undo', {
      ...span,
      dry_run: true,
    });
    expect(dry.removed).toBe(2);
    expect(dry.data.map(({ email }) => email).sort()).toEqual(['u1@to.test', 'u2@to.test']);
    expect(await request('POST', '/suppressions/undo', span)).toEqual(dry);
    expect(await request('POST', '/suppressions/undo', span)).toEqual({ removed: 0, data: [] });
    await expectRefused(host, ['GET', '/suppressions/u1@to.test'], NOT_FOUND, TABLES);
  });

  it('keeps an address that a person added or imported after its bounce', async () => {
    const from = new Date(Date.now() - 1_000).toISOString();
    const ids = await Promise.all(['p1@to.test', 'p2@to.test', 'p3@to.test'].map(sent));
    for (const [at, id] of ids.entries()) await bounce(id, `p${at + 1}@to.test`);
    await until(async () => (await list('?origin=bounce')).data.filter(({ email }) => /^p\d/.test(email)).length === 3);
    const { id } = await find('p1@to.test');
    expect(await add('p1@to.test')).toBe(id);
    await addAll(['p2@to.test'], 'bounce');
    const span = { operator: 'gmail', from, to: new Date(Date.now() + 60_000).toISOString() };
    expect(await request<{ removed: number }>('POST', '/suppressions/undo', span)).toMatchObject({ removed: 1 });
    expect(await find('p1@to.test')).toMatchObject({ id, source_id: ids[0], reason: '550 5.1.1 No such user' });
    expect(await find('p2@to.test')).toMatchObject({ origin: 'bounce', source_id: ids[1] });
    await expectRefused(host, ['GET', '/suppressions/p3@to.test'], NOT_FOUND, TABLES);
  });

  it('removes an entry of an erased person too, and does not show it', async () => {
    const from = new Date(Date.now() - 1_000).toISOString();
    await bounce(await sent('u3@to.test'), 'u3@to.test');
    await until(async () => (await host.request('GET', '/suppressions/u3@to.test')).status === 200);
    const erasure = await request<{ id: string }>('POST', '/erasures', { email: 'u3@to.test' }, 201);
    await until(async () => {
      const { body } = await host.request<{ status: string }>('GET', `/erasures/${erasure.id}`);
      return body.status === 'finished';
    });
    const span = { operator: 'gmail', from, to: new Date(Date.now() + 60_000).toISOString() };
    for (const dry_run of [true, false])
      expect(await request('POST', '/suppressions/undo', { ...span, dry_run })).toEqual({ removed: 1, data: [] });
    await expectRefused(host, ['GET', '/suppressions/u3@to.test'], NOT_FOUND, TABLES);
  });

  it.each([
    ['more than 7 days', { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:01Z' }, '`to` must be after'],
    ['a time that ends before it begins', { from: '2026-11-02', to: '2026-11-01T00:00:00Z' }, '`from` must be an ISO'],
    ['no time', { from: '2026-11-02T00:00:00Z', to: 'x' }, '`to` must be an ISO'],
  ])('refuses %s', async (_, span, message) => {
    const body = { operator: 'gmail', ...span };
    await expectRefused(host, ['POST', '/suppressions/undo', { body }], invalid(message), TABLES);
  });
});

describe('an erased person', () => {
  it('stays suppressed, and the address is nowhere', async () => {
    const id = await add('Jane.Doe@to.test');
    const erasure = await request<{ id: string }>('POST', '/erasures', { email: 'jane.doe@to.test' }, 201);
    await until(async () => {
      const { body } = await host.request<{ status: string }>('GET', `/erasures/${erasure.id}`);
      return body.status === 'finished';
    });
    const { data } = await list('?limit=100');
    expect(data.filter(({ id: listed, email }) => listed === id || /jane/i.test(email))).toEqual([]);
    const rows = await host.query('SELECT * FROM nestjs_emails.suppressions WHERE id = $1', [id]);
    expect(JSON.stringify(rows)).not.toMatch(/jane/i);
    expect(await find('JANE.DOE@to.test')).toMatchObject({ id, email: 'erased@erased.invalid', origin: 'manual' });
    expect(await add('jane.doe@to.test')).toBe(id);

    const next = await post(host, 'jane.doe@to.test');
    await untilShown(host, next, 'suppressed');
    expect(sink.offered).toEqual([]);

    await request('DELETE', '/suppressions/jane.doe@to.test');
    // An undo removed the entry of another erased person.
    await until(async () => JSON.stringify(await toldOf('erased@erased.invalid')).includes(id));
    await sent('jane.doe@to.test');
  });
});
