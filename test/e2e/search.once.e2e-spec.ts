import type { EmailDetailsDto, EmailDto } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, expectRefusal, invalid } from '../support/hosts/contract-host.js';
import { Erasing, someone } from '../support/requests/erasing.js';

/** Every email of the account by its kind. */
const ids: Record<string, string> = {};

let api: ContractHost;
let people: Erasing;

async function post(name: string, fields: object): Promise<void> {
  ids[name] = await api.accept(fields);
}

async function page(query: string, token = api.host.token) {
  const { status, body } = await api.host.request<{ has_more: boolean; data: EmailDto[] }>('GET', `/emails?${query}`, {
    token,
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

/** Names of the emails that a search finds. */
async function found(search: string, others = '', token = api.host.token): Promise<string> {
  const { data } = await page(`search=${encodeURIComponent(search)}${others}`, token);
  return data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id).join(' ');
}

beforeAll(async () => {
  api = await ContractHost.start();
  people = new Erasing(api);
  await post('order', {
    from: 'Acme Shop <orders@mail.acme.test>',
    to: ['"Doe, Jane" <jane.doe@example.test>', 'Zoë Łukasz <zoe+news@example.test>'],
    cc: 'Karl Groß <kg@cc.test>',
    bcc: 'hidden_1@bcc.test',
    reply_to: 'desk@reply.test',
    subject: 'Your order #1182: naïve CAFÉ, 注文 １２',
    html: '<p>bodyword</p>',
    text: 'bodyword',
    tags: [{ name: 'tagword', value: 'x' }],
  });
  await post('invoice', { from: 'billing@acme.test', to: 'jan@person.test', subject: 'Invoice 1182 for Jan' });
  await post('later', {
    from: 'billing@acme.test',
    to: 'x@y.test',
    subject: 'order',
    scheduled_at: '2096-01-01T00:00:00Z',
  });
});

/** Contract, section 3.1. */
describe('search', () => {
  it.each([
    ['jane', 'order'],
    ['JANE.DOE@example.test', 'order'],
    ['jan', 'invoice'],
    ['doe jane', 'order'],
    ['Doe, Jane <jane.doe@example.test>', 'order'],
    ['ja', ''],
    ['ane', ''],
    ['1182', 'invoice order'],
    ['order 1182', 'order'],
    ['#1182 order', 'order'],
    ['order', 'later order'],
    ['order order ORDER', 'later order'],
    ['acme', 'later invoice order'],
    ['acme invoice', 'invoice'],
    ['invoice café', ''],
    ['cafe NAIVE', 'order'],
    ['zoe łukasz news', 'order'],
    ['Zoe\u0308 lukasz', 'order'],
    ['gross', 'order'],
    ['cc', 'order'],
    ['hidden', 'order'],
    ['hidden_1@bcc.test', 'order'],
    ['注文', 'order'],
    ['注', ''],
    ['12', 'order'],
    ['desk', ''],
    ['bodyword', ''],
    ['tagword', ''],
    ['nobody', ''],
    ['rcpt', ''],
    ["'; DROP TABLE emails; --", ''],
    ['order\u202e\ud83d\ude00', 'later order'],
    ['or\u0000der', ''],
  ])('for %j finds: %s', async (search, names) => {
    expect(await found(search)).toBe(names);
  });

  it('goes with every other filter, and with pages', async () => {
    expect(await found('order', '&last_event=scheduled')).toBe('later');
    expect(await found('1182', '&to=jan@person.test')).toBe('invoice');
    expect(await found('1182', '&tag=tagword')).toBe('order');
    expect(await found('1182', '&end_date=2020-01-01')).toBe('');
    expect(await found('acme', '&start_date=2020-01-01&limit=1')).toBe('later');
    expect(await page('search=acme&limit=1')).toMatchObject({ has_more: true, data: [{ id: ids.later }] });
    expect(await page(`search=acme&limit=1&after=${ids.later}`)).toMatchObject({
      has_more: true,
      data: [{ id: ids.invoice }],
    });
    expect(await found('order', `&after=${ids.invoice}`)).toBe('order');
    expect(await page(`search=order&limit=1&before=${ids.order}`)).toMatchObject({
      has_more: false,
      data: [{ id: ids.later }],
    });
  });

  it('finds nothing of another account', async () => {
    expect(await found('order', '', (await api.host.account('another')).token)).toBe('');
  });

  it.each([
    ['', /^`search` must have a word/],
    ['#!', /^`search` must have a word/],
    ['\u{1F600}', /^`search` must have a word/],
    ['x'.repeat(999), /^`search` takes up to 998 characters/],
    [Array.from({ length: 17 }, (_, nth) => `w${nth}`).join(' '), /^`search` takes up to 16 words/],
  ])('refuses %.20j', async (search, message) => {
    expectRefusal(await api.host.request('GET', `/emails?search=${encodeURIComponent(search)}`), invalid(message));
  });

  it('is given once', async () => {
    expectRefusal(await api.host.request('GET', '/emails?search=a&search=b'), invalid(/^`search` must be given once/));
  });

  it('answers 422 beyond 2 seconds', async () => {
    const client = new pg.Client({ connectionString: api.host.databaseUrl });
    await client.connect();
    afterFile(() => client.end());
    await client.query('BEGIN; LOCK TABLE nestjs_emails.email_terms IN ACCESS EXCLUSIVE MODE');
    const answer = await api.host.request('GET', '/emails?search=order');
    await client.query('ROLLBACK');
    expectRefusal(answer, invalid(/`start_date`/));
  });
});

describe('words of an email', () => {
  const rowsOf = async (id: string) => {
    const [row] = await api.host.query<{ count: string }>(
      'SELECT count(*) FROM nestjs_emails.email_terms WHERE seq = (SELECT seq FROM nestjs_emails.emails WHERE id = $1)',
      [id],
    );
    return Number(row?.count);
  };
  const PLAIN = { from: 'a@a.test', to: 'a@a.test' };

  it.each([
    ['many words', Array.from({ length: 200 }, (_, nth) => `w${nth}`).join(' ')],
    ['one word of 998 characters', 'x'.repeat(998)],
    ['letters that become 18', '\ufdfa'.repeat(900)],
    ['marks', `a${'\u0301\u0323'.repeat(498)}`],
    ['pairs and emoji', '\u{1D518}👩‍👩‍👧'.repeat(90)],
    ['right-to-left letters', 'שלום '.repeat(199)],
  ])('are at most 32: %s', async (_, subject) => {
    const few = await rowsOf(await api.accept({ ...PLAIN, subject: '.' }));
    const id = await api.accept({ ...PLAIN, subject });
    expect((await rowsOf(id)) - few).toBeLessThanOrEqual(32);
    expect(await api.record(id)).toMatchObject({ subject: subject.toWellFormed() });
  });

  it('leave room for mailboxes next to a long subject, and for the subject next to 150 mailboxes', async () => {
    const mailboxes = (field: string) =>
      Array.from({ length: 50 }, (_, nth) => `${'Né '.repeat(250)}${field}${nth} <${field}${nth}@many.test>`);
    await post('long', {
      from: 'b@b.test',
      to: 'Needle <c@c.test>',
      subject: Array.from({ length: 200 }, (_, n) => `l${n}`).join(' '),
    });
    await post('many', {
      from: 'b@b.test',
      to: mailboxes('t'),
      cc: mailboxes('c'),
      bcc: mailboxes('b'),
      subject: 'Haystack',
    });
    expect(await found('needle l0 l15 l25')).toBe('long');
    expect(await found('haystack t0 many ne')).toBe('many');
  });

  it('are found when it was accepted in a batch, within a transaction of the host or by a resend', async () => {
    const items = ['Batchword one', 'Batchword two'].map((subject) => ({ ...PLAIN, subject, text: 'x' }));
    const { body } = await api.host.request<{ data: { id: string }[] }>('POST', '/emails/batch', { body: items });
    for (const [at, { id }] of body.data.entries()) ids[`batch ${at}`] = id;
    expect(await found('batchword')).toBe('batch 1 batch 0');
    const sent = await people.sent({ from: 'a@a.test', to: ['Otto <otto@a.test>', 'b@a.test'], subject: 'Resendword' });
    const again = await api.host.request<{ id: string }>('POST', `/emails/${sent}/resend`, {
      body: { recipients: ['otto@a.test'] },
    });
    expect(again.status).toBe(200);
    Object.assign(ids, { sent, again: again.body.id });
    expect(await found('resendword')).toBe('again sent');
    expect(await found('resendword otto')).toBe('again sent');
    expect(await found('resendword b')).toBe('sent');
  });
});

async function summaryOf(email: EmailDto): Promise<object> {
  const { body } = await api.host.request<EmailDetailsDto>('GET', `/emails/${email.id}`);
  const attachments = await api.host.request<{ data: unknown[] }>('GET', `/emails/${email.id}/attachments`);
  return {
    ...email,
    html: null,
    text: null,
    tags: body.tags,
    topic_id: body.topic_id,
    attachments: attachments.body.data.length,
  };
}

describe('fields=summary', () => {
  it('has every key of the list without html and text, and tags, topic and number of attachments', async () => {
    const { data: whole } = await page('search=1182');
    const { data } = await page('search=1182&fields=summary');
    expect(data).toEqual(await Promise.all(whole.map(summaryOf)));
    expect(whole[1]).toMatchObject({ html: '<p>bodyword</p>' });
    await until(async () => (await page('last_event=queued')).data.length === 0);
    const all = await page('limit=100');
    expect(await page('fields=summary&limit=100')).toEqual({
      ...all,
      data: await Promise.all(all.data.map(summaryOf)),
    });
    const id = await api.accept({
      subject: 'Clip',
      tags: [{ name: 'order', value: '12' }],
      attachments: [1, 2].map((n) => ({ filename: `${n}.txt`, content: 'aGVsbG8=' })),
    });
    for (const query of ['', '&search=clip']) {
      expect((await page(`fields=summary&limit=1${query}`)).data).toMatchObject([
        { id, tags: [{ name: 'order', value: '12' }], topic_id: null, attachments: 2 },
      ]);
    }
    expect((await page(`fields=summary&limit=1&before=${ids.order}`)).data).toMatchObject([{ id: ids.invoice }]);
  });

  it('has as many emails on a page as are asked for, however large their bodies are', async () => {
    const { token } = await api.host.account('large');
    const html = 'x'.repeat(4_000_000);
    for (const subject of ['one', 'two', 'three']) await api.accept({ subject, html }, { token });
    expect((await page('limit=3', token)).data).toHaveLength(2);
    for (const query of ['', '&start_date=2020-01-01', '&last_event=queued,sent,delivered']) {
      const { data } = await page(`fields=summary&limit=3${query}`, token);
      expect(data.map(({ subject, html }) => [subject, html])).toEqual([
        ['three', null],
        ['two', null],
        ['one', null],
      ]);
    }
  });

  it.each(['', 'all', 'Summary', 'html'])('is the only value: %j', async (value) => {
    expectRefusal(await api.host.request('GET', `/emails?fields=${value}`), invalid(/^`fields` must be `summary`/));
  });
});

describe('GET /emails/count', () => {
  it('counts what the list shows, with any filters', async () => {
    const { token } = await api.host.account('counted');
    const countOf = async (query = '') => {
      const { status, body } = await api.host.request<object>('GET', `/emails/count${query}`, { token });
      expect(status).toBe(200);
      return body;
    };
    expect(await countOf()).toEqual({ object: 'email_count', count: 0 });
    for (let n = 0; n < 25; n += 1) {
      await api.accept({ to: `p${n % 5}@count.test`, subject: `Counted ${n}` }, { token });
    }
    expect(await countOf()).toEqual({ object: 'email_count', count: 25 });
    expect(await countOf('?to=p3@count.test')).toMatchObject({ count: 5 });
    expect(await countOf('?search=counted&to=p3@count.test')).toMatchObject({ count: 5 });
    expect(await countOf('?search=nothing')).toMatchObject({ count: 0 });
    expect(await countOf('?limit=1&fields=summary')).toMatchObject({ count: 25 });
  });

  it('refuses what the list refuses', async () => {
    expectRefusal(await api.host.request('GET', '/emails/count?to=x'), invalid(/^`to` must be an address/));
  });
});

describe('an erasure', () => {
  it('takes the words of the person, and those of cleared subjects', async () => {
    const person = someone();
    const [name] = person.split('@') as [string];
    const mailbox = `Wanda Vanish <${person}>`;
    ids.alone = await people.sent({ to: mailbox, subject: 'Secretword' });
    ids.shared = await people.sent({ to: [mailbox, 'bob@person.test'], subject: 'Sharedword' });
    ids.mentioned = await people.sent({ to: 'bob@person.test', cc: 'x@person.test', subject: 'Keptword Wanda' });
    ids.sender = await people.sent({ from: mailbox, to: 'bob@person.test', subject: 'Senderword' });
    ids.waiting = await people.scheduled({ to: [mailbox, 'bob@person.test'], subject: 'Waitingword' });
    expect(await found(`${name} vanish`)).toBe('waiting sender shared alone');
    const erasure = await people.erase(person);
    await until(async () => (await found('waitingword vanish')) === '', { what: 'the search for the person' });
    expect(await found('waitingword bob')).toBe('waiting');
    await people.fallDue(ids.waiting);
    await people.untilFinished(erasure);
    for (const word of [name, 'vanish', 'secretword', 'sharedword', 'waitingword']) expect(await found(word)).toBe('');
    expect(await found('wanda')).toBe('mentioned');
    expect(await found('senderword bob')).toBe('sender');
    expect(await found('bob person')).toBe('waiting sender mentioned shared');
    expect(await found('bob', '&to=bob@person.test')).toBe('waiting sender mentioned shared');
  });
});

describe('a host without search', () => {
  let off: ContractHost;

  beforeAll(async () => {
    off = await ContractHost.start({ env: { SEARCH: 'false' } });
  });

  it('refuses `search`, writes no word, and has all other filters', async () => {
    const id = await off.accept({ from: 'a@a.test', to: 'b@b.test', subject: 'Word', tags: [] });
    for (const path of ['/emails', '/emails/count']) {
      expectRefusal(await off.host.request('GET', `${path}?search=word`), invalid(/^`search` cannot be used/));
    }
    expect(await off.host.query('SELECT count(*)::integer AS count FROM nestjs_emails.email_terms')).toEqual([
      { count: 3 },
    ]);
    const { body } = await off.host.request<{ data: EmailDto[] }>('GET', '/emails?to=b@b.test&fields=summary');
    expect(body.data).toMatchObject([{ id, html: null }]);
  });
});
