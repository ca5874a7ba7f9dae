import type { EmailDto } from 'nestjs-emails';
import pg from 'pg';
import { afterFile } from '../support/basics/cleanup.js';
import { ContractHost, expectRefusal, invalid } from '../support/hosts/contract-host.js';

/** Every email of the account by its kind, in the order of acceptance. */
const ids: Record<string, string> = {};

let api: ContractHost;
let topicId: string;

async function post(name: string, fields: object): Promise<void> {
  ids[name] = await api.accept(fields);
}

/** Names of the emails in a list. */
async function found(query: string, token = api.host.token): Promise<{ names: string[]; has_more: boolean }> {
  const { status, body } = await api.host.request<{ has_more: boolean; data: EmailDto[] }>(
    'GET',
    `/emails?${query.replace(/[^ -~]+/g, encodeURIComponent)}`,
    { token },
  );
  expect({ status, body }).toMatchObject({ status: 200 });
  const names = body.data.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? id);
  return { names, has_more: body.has_more };
}

const move = (name: string, state: string, due = 'NULL') =>
  api.host.query(`UPDATE nestjs_emails.deliveries SET last_event = $2, due_at = ${due} WHERE email_id = $1`, [
    ids[name],
    state,
  ]);

beforeAll(async () => {
  api = await ContractHost.start({ role: 'api' });
  const topic = { name: 'News', default_subscription: 'opt_in' };
  topicId = (await api.host.request('POST', '/topics', { body: topic })).body.id as string;
  await post('order', {
    from: 'Ann <Ann@Bücher.test>',
    to: ['"One, First" <One@to.test>', 'both@to.test'],
    cc: ['Two <two@to.test>', 'both@to.test'],
    bcc: 'ä@xn--bcher-kva.test',
    tags: [
      { name: 'kind', value: 'order' },
      { name: 'empty', value: '' },
    ],
  });
  await post('news', { from: 'news@from.test', to: 'two@to.test', topic_id: topicId });
  await post('later', { scheduled_at: '2096-01-01T00:00:00Z', tags: [{ name: 'kind', value: 'later' }] });
  await post('bounced', { tags: [{ name: 'kind', value: 'order' }], to: 'one@to.test' });
  await post('waiting', { tags: [{ name: 'kind', value: 'order' }] });
  await move('news', 'sent');
  await move('bounced', 'bounced');
});

/** Contract, section 3.1: filters of GET /emails. */
describe('filters', () => {
  it.each([
    ['to=one@to.test', 'bounced order'],
    ['to=%22Whoever%22+%3CONE@TO.TEST%3E', 'bounced order'],
    ['to=two@to.test', 'news order'],
    ['to=Ä@Bücher.test', 'order'],
    ['to=both@to.test', 'order'],
    ['to=nobody@to.test', ''],
    ['cc=two@to.test', 'order'],
    ['cc=one@to.test', ''],
    ['bcc=ä@bücher.test', 'order'],
    ['bcc=two@to.test', ''],
    ['from=ann@bücher.test', 'order'],
    ['from=@BÜCHER.test', 'order'],
    ['from=@xn--bcher-kva.test', 'order'],
    ['from=@from.test', 'waiting bounced later news'],
    ['from=news@from.test', 'news'],
    ['from=@test', ''],
    ['tag=kind', 'waiting bounced later order'],
    ['tag=kind:order', 'waiting bounced order'],
    ['tag=kind:order&tag=empty', 'order'],
    ['tag=kind:order&tag=kind:later', ''],
    ['tag=empty:', 'order'],
    ['tag=kind:', ''],
    ['tag=Kind', ''],
    ['last_event=queued', 'waiting order'],
    ['last_event=scheduled', 'later'],
    ['last_event=sent,bounced', 'bounced news'],
    ['last_event=sent&last_event=queued,bounced&last_event=sent', 'waiting bounced news order'],
    ['last_event=complained', ''],
    ['last_event=queued&tag=kind:order&to=one@to.test', 'order'],
    ['last_event=bounced&from=@from.test', 'bounced'],
    ['last_event=sent&tag=kind', ''],
    ['last_event=sent,bounced&tag=kind:order', 'bounced'],
    ['last_event=sent,bounced,queued&tag=kind:order', 'waiting bounced order'],
    ['start_date=2020-01-01', 'waiting bounced later news order'],
    ['start_date=9999-12-31T23:59:59Z', ''],
    ['end_date=0100-01-01', ''],
    ['end_date=2020-01-01T00:00:00.000001%2B02:00', ''],
    ['start_date=2020-01-01&end_date=2020-01-01', ''],
    ['start_date=0101-01-01&end_date=9999-01-01&tag=kind:order', 'waiting bounced order'],
    ['message_id=%3Cnobody@from.test%3E', ''],
    ['subject=Hello&To=x&unknown[]=1', 'waiting bounced later news order'],
  ])('%s finds: %s', async (query, names) => {
    expect(await found(query)).toEqual({ names: names === '' ? [] : names.split(' '), has_more: false });
  });

  it('find by topic, message id and moment', async () => {
    expect((await found(`topic_id=${topicId.toUpperCase()}`)).names).toEqual(['news']);
    expect((await found('topic_id=0198f0c1-0000-7000-8000-000000000000')).names).toEqual([]);
    const messageId = (name: string, domain: string) => encodeURIComponent(`<${ids[name]}@${domain}>`);
    expect((await found(`message_id=${messageId('news', 'from.test')}`)).names).toEqual(['news']);
    expect((await found(`message_id=${messageId('news', 'from.test')}&tag=kind`)).names).toEqual([]);
    expect((await found(`message_id=${messageId('news', 'another.test')}`)).names).toEqual([]);
    const { created_at } = await api.record(ids.later ?? '');
    const moment = encodeURIComponent(created_at.replace('+00', ' +0000'));
    expect((await found(`start_date=${moment}`)).names).toEqual(['waiting', 'bounced', 'later']);
    expect((await found(`end_date=${moment}`)).names).toEqual(['news', 'order']);
    expect((await found(`start_date=${moment}&tag=kind:order`)).names).toEqual(['waiting', 'bounced']);
    expect((await found(`start_date=${moment}&end_date=${moment}`)).names).toEqual([]);
  });

  it('are paged by any email of the account, in both directions', async () => {
    const from = 'from=@from.test';
    expect(await found(`${from}&limit=2`)).toEqual({ names: ['waiting', 'bounced'], has_more: true });
    expect(await found(`${from}&limit=2&after=${ids.bounced}`)).toEqual({ names: ['later', 'news'], has_more: false });
    expect(await found(`${from}&limit=2&before=${ids.order}`)).toEqual({ names: ['later', 'news'], has_more: true });
    expect(await found(`tag=kind:order&limit=1&after=${ids.later}`)).toEqual({ names: ['order'], has_more: false });
    expect(await found(`tag=kind:order&limit=1&before=${ids.news}`)).toEqual({ names: ['bounced'], has_more: true });
    expect(await found(`last_event=queued&limit=1&before=${ids.news}`)).toEqual({
      names: ['waiting'],
      has_more: false,
    });
    expect(await found(`last_event=sent,bounced&limit=1`)).toEqual({ names: ['bounced'], has_more: true });
    expect(await found(`start_date=2020-01-01&limit=1&after=${ids.news}`)).toEqual({
      names: ['order'],
      has_more: false,
    });
  });

  it('show nothing of another account, and do not accept its emails as a cursor', async () => {
    const { token } = await api.host.account('another');
    for (const query of [
      'to=one@to.test',
      'from=@from.test',
      'tag=kind',
      'last_event=queued',
      'start_date=2020-01-01',
    ]) {
      expect((await found(query, token)).names).toEqual([]);
    }
    expect((await found(`message_id=${encodeURIComponent(`<${ids.news}@from.test>`)}`, token)).names).toEqual([]);
    const answer = await api.host.request('GET', `/emails?tag=kind&after=${ids.later}`, { token });
    expectRefusal(answer, invalid(/^`after` must be/));
  });

  const thousand = Array.from({ length: 1_000 }, (_, at) => `tag=t${at}`).join('&');
  it.each([
    ['last_event', ['', 'opened,', 'SENT', 'sent bounced', 'sent,nothing', 'toString', '__proto__', '\0']],
    ['to', ['', '@to.test', 'a@b@c.test', 'a@to.test,b@to.test', 'a\0@to.test', 'a@to..test', '%', '<>']],
    ['cc', ['', 'x']],
    ['bcc', ['', 'x']],
    ['from', ['', '@', '@@', '@to..test', '@1.2.3.4', '@a b', '@a\0b', 'x']],
    ['tag', ['', ':', ':value', 'a:b:c', 'a b', 'ä', 'a\0', 'a,b', 'x'.repeat(257), `x:${'x'.repeat(257)}`]],
    ['topic_id', ['', 'News', '{0198f0c1-0000-7000-8000-000000000000}', '\0']],
    ['message_id', ['', 'x', '<>', '<a b@c>', '<\0@x>', '<<a@b>>', '<\ud800@b>', '<ä@b>']],
    [
      'start_date',
      [
        '',
        'yesterday',
        '2026-13-01',
        '2026-02-30',
        '0000-01-01',
        '10000-01-01',
        '+275760-09-13',
        '-0044-03-15',
        '1',
        '\0',
      ],
    ],
    ['end_date', ['', 'now', '2026-01-01T25:00', '0099-12-31', '9999-12-31T23:59:59-01:00', 'infinity', 'NaN']],
  ])('refuse an invalid `%s`', async (name, values) => {
    for (const value of values) {
      const path = `/emails?${name}=${encodeURIComponent(value.toWellFormed())}`;
      expectRefusal(await api.host.request('GET', path), invalid(new RegExp(`^\`${name}\` must be`)));
    }
    const bracketed = await api.host.request('GET', `/emails?${name}[]=x`);
    expectRefusal(bracketed, invalid(new RegExp(`^\`${name}\` (must be given once|is repeated)`)));
  });

  it.each([
    [thousand, /^`tag` may be given 75 times/],
    ['to=a@b.test&to=a@b.test', /^`to` must be given once/],
    ['start_date=2026-01-02&end_date=2026-01-01', /^`start_date` must not be after `end_date`/],
    ['tag=kind&limit=0', /^`limit`/],
    [`tag=kind&after=${'0'.repeat(36)}`, /^`after`/],
  ])('refuse %.30s', async (query, message) => {
    expectRefusal(await api.host.request('GET', `/emails?${query}`), invalid(message));
  });

  it('treat the same tag a thousand times as one', async () => {
    expect((await found('tag=empty&'.repeat(1_000))).names).toEqual(['order']);
  });
});

it('queued ones are found among thousands of other due ones', async () => {
  await api.host.query(`
    WITH made AS (
      INSERT INTO nestjs_emails.emails (id, account_id, message_id, from_mailbox, to_mailboxes, cc_mailboxes,
        bcc_mailboxes, reply_to_mailboxes, subject, headers, tags, created_at)
      SELECT uuidv7(), 'crowd', '<' || n || '@a.test>', 'a@a.test', '{b@b.test}', '{}', '{}', '{}', 'x', '[]', '[]', now()
      FROM generate_series(1, 2100) AS n RETURNING id
    )
    INSERT INTO nestjs_emails.deliveries (email_id, last_event, due_at, recipients) SELECT id, 'queued', now(), '[]' FROM made`);
  expect((await found('last_event=queued')).names).toEqual(['waiting', 'order']);
  expect(await found('last_event=queued&limit=1')).toEqual({ names: ['waiting'], has_more: true });
  expect(await found(`last_event=queued,sent&limit=2&before=${ids.order}`)).toEqual({
    names: ['waiting', 'news'],
    has_more: false,
  });
});

it('a search that takes too long is refused, and leaves nothing behind on its connection', async () => {
  await api.host.query(`
    CREATE TABLE settings (said text);
    CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.settings SELECT string_agg(name || ' ' || current_setting(name), ', ' ORDER BY name)
      FROM unnest('{statement_timeout,enable_seqscan,jit,enable_hashjoin}'::text[]) AS name;
      RETURN NULL; END $$;
    CREATE TRIGGER tell AFTER INSERT ON nestjs_emails.emails FOR EACH STATEMENT EXECUTE FUNCTION tell()`);
  const client = new pg.Client({ connectionString: api.host.env.DATABASE_URL });
  await client.connect();
  afterFile(() => client.end());
  await client.query('BEGIN; LOCK TABLE nestjs_emails.email_terms IN ACCESS EXCLUSIVE MODE');
  const searches = await Promise.all(Array.from({ length: 3 }, () => api.host.request('GET', '/emails?tag=kind')));
  await client.query('ROLLBACK');
  for (const answer of searches) expectRefusal(answer, invalid(/`start_date`/));

  await found('tag=kind');
  await Promise.all(Array.from({ length: 30 }, () => api.accept()));
  const said = await api.host.query('SELECT DISTINCT said FROM settings');
  expect(said).toEqual([{ said: expect.stringContaining('enable_hashjoin on, enable_seqscan on') }]);
  expect(said[0]?.said).toContain('statement_timeout 15s');
});
