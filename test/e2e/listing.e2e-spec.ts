import type { EmailDto } from 'nestjs-emails';
import { ContractHost, invalid, letter } from '../support/hosts/contract-host.js';
import { startHost } from '../support/hosts/host.js';
import { httpRequest } from '../support/requests/http-request.js';

interface List {
  object: 'list';
  has_more: boolean;
  data: EmailDto[];
}

const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/;
const NOBODY = '0198f0c1-0000-7000-8000-000000000000';

/** Contract 3: GET /emails. */
describe('the list', () => {
  let api: ContractHost;
  /** Newest first, like the list. */
  const ids: string[] = [];

  beforeAll(async () => {
    api = await ContractHost.share();
    for (let at = 0; at < 25; at++) ids.unshift(await api.accept({ subject: `No. ${at}` }));
  });

  async function list(query = ''): Promise<List> {
    const { status, body } = await api.host.request<List>('GET', `/emails${query}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['object', 'has_more', 'data']);
    expect(body.object).toBe('list');
    return body;
  }

  async function page(query: string): Promise<{ ids: string[]; has_more: boolean }> {
    const { data, has_more } = await list(query);
    return { ids: data.map(({ id }) => id), has_more };
  }

  it('shows the newest 20, newest first', async () => {
    expect(await page('')).toEqual({ ids: ids.slice(0, 20), has_more: true });
  });

  it.each([1, 2, 24, 25, 26, 100])('shows up to %i', async (limit) => {
    expect(await page(`?limit=${limit}`)).toEqual({ ids: ids.slice(0, limit), has_more: limit < 25 });
  });

  it.each(
    [
      ['', '0', '-1', '101', '1000', '1.5', '1e1', '0x10', '5 ', ' 5', '+5', 'ten', '٣', '5,6', 'NaN', '1\n'],
      ['9007199254740993', 'null', 'true'],
    ].flat(),
  )('refuses the limit %j', async (limit) => {
    await api.refuseRequest('GET', `/emails?limit=${encodeURIComponent(limit)}`, {}, invalid(/^`limit` .*1 to 100/));
  });

  it.each(['limit[]=5', 'limit[a]=5', 'limit=5&limit=6', 'limit=5&limit[]=6', 'after[]=a', 'before=a&before=b'])(
    'refuses `%s`',
    async (query) => {
      await api.refuseRequest('GET', `/emails?${query}`, {}, invalid(/^`(limit|after|before)` must be given once/));
    },
  );

  it('ignores unknown query parameters', async () => {
    expect(await page('?limit=2&foo=bar&offset=3&page[size]=1&%00')).toEqual({ ids: ids.slice(0, 2), has_more: true });
  });

  it('goes to the older ones by `after`', async () => {
    expect(await page(`?limit=10&after=${ids[4]}`)).toEqual({ ids: ids.slice(5, 15), has_more: true });
    expect(await page(`?limit=10&after=${ids[14]}`)).toEqual({ ids: ids.slice(15), has_more: false });
    expect(await page(`?limit=10&after=${ids[24]}`)).toEqual({ ids: [], has_more: false });
    expect(await page(`?after=${ids[3]}`)).toEqual({ ids: ids.slice(4, 24), has_more: true });
  });

  it('goes to the newer ones by `before`: the nearest, newest first', async () => {
    expect(await page(`?limit=10&before=${ids[20]}`)).toEqual({ ids: ids.slice(10, 20), has_more: true });
    expect(await page(`?limit=10&before=${ids[10]}`)).toEqual({ ids: ids.slice(0, 10), has_more: false });
    expect(await page(`?limit=10&before=${ids[0]}`)).toEqual({ ids: [], has_more: false });
    expect(await page(`?before=${ids[22]}`)).toEqual({ ids: ids.slice(2, 22), has_more: true });
  });

  it('treats an id in capitals as the same', async () => {
    expect(await page(`?limit=1&after=${ids[0]!.toUpperCase()}`)).toEqual({ ids: [ids[1]], has_more: true });
  });

  it.each(['after', 'before'])('refuses an invalid `%s`', async (name) => {
    const values = ['', 'abc', `{${ids[0]}}`, ids[0]!.replaceAll('-', ''), `${ids[0]}x`, "'", '1', '\0', NOBODY];
    for (const value of [...values, '00000000-0000-0000-0000-000000000000']) {
      const query = `${name}=${encodeURIComponent(value)}`;
      await api.refuseRequest('GET', `/emails?${query}`, {}, invalid(new RegExp(`^\`${name}\` .*id`)));
    }
  });

  it('refuses `after` and `before` together', async () => {
    const query = `after=${ids[1]}&before=${ids[1]}`;
    await api.refuseRequest('GET', `/emails?${query}`, {}, invalid(/`after` or `before`, not both/));
  });

  it('is an empty one for an account without emails', async () => {
    const { token } = await api.host.account('empty');
    const { body } = await api.host.request('GET', '/emails', { token });
    expect(body).toEqual({ object: 'list', has_more: false, data: [] });
  });

  it('has every field in every record, also without a value', async () => {
    const id = await api.accept({ text: undefined });
    const record = await api.record(id);
    expect(record).toEqual({
      object: 'email',
      id,
      message_id: `<${id}@from.test>`,
      to: ['to@to.test'],
      from: 'Sender <sender@from.test>',
      created_at: expect.stringMatching(TIMESTAMP),
      subject: 'Hello',
      html: null,
      text: null,
      bcc: [],
      cc: [],
      reply_to: [],
      last_event: expect.stringMatching(/^(queued|sent)$/),
      scheduled_at: null,
    });
  });

  it('has the given values unchanged', async () => {
    const given = {
      to: ['"To, First" <to@bücher.test>', 'two@to.test'],
      from: ' Jürgen  <a@From.test> ',
      subject: ' Grüße 🦊 ',
      html: '<p>ü</p>',
      text: 'ü',
      bcc: ['b@to.test'],
      cc: ['c@to.test', 'c@to.test'],
      reply_to: ['R <r@from.test>'],
    };
    const record = await api.record(await api.accept({ ...given, scheduled_at: '2096-02-29T23:30:00.123456-01:00' }));
    expect(record).toMatchObject({
      ...given,
      last_event: 'scheduled',
      scheduled_at: '2096-03-01 00:30:00.123456+00',
    });
    expect(record.message_id).toBe(`<${record.id}@from.test>`);
  });

  it('has times in microseconds, like the database', async () => {
    const { data } = await list('?limit=100');
    for (const { created_at } of data) expect(created_at).toMatch(TIMESTAMP);
    expect(data.some(({ created_at }) => !created_at.endsWith('000+00'))).toBe(true);
    const stored = await api.host.query<{ same: boolean }>(
      'SELECT created_at = $2::timestamptz AS same FROM nestjs_emails.emails WHERE id = $1',
      [data[0]!.id, data[0]!.created_at],
    );
    expect(stored).toEqual([{ same: true }]);
    const age = Date.now() - Date.parse(data[0]!.created_at);
    expect(age).toBeGreaterThanOrEqual(-1_000);
    expect(age).toBeLessThan(60_000);
  });
});

describe('the list, while two processes write', () => {
  let api: ContractHost;
  let writers: string[];
  const older: string[] = [];
  const accepted: string[] = [];

  beforeAll(async () => {
    api = await ContractHost.start();
    const second = await startHost({ smtp: api.sink, beside: api.host });
    writers = [api.host.url, second.url];
    await Promise.all(Array.from({ length: 40 }, () => api.accept()));
    older.push(...(await page('limit=40')).data.map(({ id }) => id));
    // An occasionally slow disk: the first number could be committed last.
    await api.host.query(`
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_sleep(CASE WHEN random() < 0.3 THEN 0.15 ELSE 0 END); RETURN NULL; END $$;
      CREATE TRIGGER dawdle AFTER INSERT ON nestjs_emails.emails FOR EACH STATEMENT EXECUTE FUNCTION dawdle();`);
  });

  /** Writes from both processes, four requests at a time each, until `enough`. */
  async function writeUntil(enough: () => boolean): Promise<void> {
    const write = async (at: number) => {
      while (!enough()) {
        const options = {
          token: api.host.token,
          body: letter({ subject: 'More', tags: [{ name: 'kind', value: 'more' }] }),
        };
        const { body } = await httpRequest<{ id: string }>(writers[at % 2]!, 'POST', '/emails', options);
        accepted.push(body.id);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, at) => write(at)));
  }

  async function page(query: string): Promise<List> {
    const { status, body } = await api.host.request<List>('GET', `/emails?${query}`);
    expect(status).toBe(200);
    return body;
  }

  it.each(['', '&from=@from.test&start_date=2020-01-01'])('downwards neither repeats nor skips: %s', async (filter) => {
    let over = false;
    const writing = writeUntil(() => over);
    const seen: string[] = [];
    try {
      let { data, has_more } = await page(`limit=7${filter}`);
      while (has_more) {
        seen.push(...data.map(({ id }) => id));
        ({ data, has_more } = await page(`limit=7&after=${seen.at(-1)}${filter}`));
      }
      seen.push(...data.map(({ id }) => id));
    } finally {
      over = true;
      await writing;
    }
    expect(accepted.length).toBeGreaterThan(0);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(-older.length)).toEqual(older);
    await expectOrder(seen);
  });

  it.each(['', '&tag=kind:more'])('upwards neither repeats nor skips: %s', async (filter) => {
    const from = (await page('limit=1')).data[0]!.id;
    const start = accepted.length;
    const seen = [from];
    let over = false;
    const writing = writeUntil(() => accepted.length >= start + 120).finally(() => {
      over = true;
    });
    for (;;) {
      const last = over;
      const { data, has_more } = await page(`limit=5&before=${seen[0]}${filter}`);
      seen.unshift(...data.map(({ id }) => id));
      if (last && !has_more) break;
    }
    await writing;
    expect(new Set(seen).size).toBe(seen.length);
    expect(new Set(seen)).toEqual(new Set([from, ...accepted.slice(start)]));
    await expectOrder(seen);
  });

  /** The seen emails are one piece of the current list, and their times never go up. */
  async function expectOrder(seen: string[]): Promise<void> {
    const all: EmailDto[] = [];
    for (let more = true; more; ) {
      const { data, has_more } = await page(`limit=100${all.length > 0 ? `&after=${all.at(-1)!.id}` : ''}`);
      all.push(...data);
      more = has_more;
    }
    const ids = all.map(({ id }) => id);
    const start = ids.indexOf(seen[0]!);
    expect(ids.slice(start, start + seen.length)).toEqual(seen);
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  }
});
