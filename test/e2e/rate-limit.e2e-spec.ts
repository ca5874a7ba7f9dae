import { eventually } from '../support/basics/wait-for.js';
import { ContractHost, expectRefusal, letter, type Refusal } from '../support/hosts/contract-host.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { type Answer, httpRequest } from '../support/requests/http-request.js';

const LIMIT = 10;
const LIMITED: Refusal = { status: 429, name: 'rate_limit_exceeded', message: /retry-after/ };

/** Contract 1, the status 429: `RATE_LIMIT` requests a second and account, over all processes. */
describe('the rate limit', () => {
  let api: ContractHost;
  let second: RunningHost;

  beforeAll(async () => {
    api = await ContractHost.start({ env: { RATE_LIMIT: String(LIMIT) } });
    second = await startHost({ smtp: api.sink, beside: api.host, env: { RATE_LIMIT: String(LIMIT) } });
  });

  const get = (url = api.host.url, token = api.host.token) => httpRequest(url, 'GET', '/emails?limit=1', { token });

  /** Waits for a second without requests of the account. */
  async function rested(): Promise<Answer<unknown>> {
    return eventually(
      async () => {
        const answer = await get();
        expect(answer.headers['ratelimit-remaining']).toBe(String(LIMIT - 1));
        return answer;
      },
      { interval: 300 },
    );
  }

  let bursts = 0;

  /** Sends requests all at once, more than are allowed; repeats that until all of them fell into one second. */
  function burst(
    count: number,
    request: (at: number, burst: number) => Promise<Answer<unknown>>,
    allowed = LIMIT - 1,
  ): Promise<Answer<unknown>[]> {
    return eventually(async () => {
      await rested();
      bursts += 1;
      const answers = await Promise.all(Array.from({ length: count }, (_, at) => request(at, bursts)));
      // Two seconds admit more, and the exhausted one is not over yet.
      expect(statuses(answers)[200]).toBeLessThanOrEqual(allowed);
      expect((await get()).status).toBe(429);
      return answers;
    });
  }

  const statuses = (answers: Answer<unknown>[]) =>
    Object.fromEntries([200, 429].map((wanted) => [wanted, answers.filter(({ status }) => status === wanted).length]));

  it('has the remaining number in every answer of the account', async () => {
    const { status, headers } = await rested();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'ratelimit-limit': String(LIMIT),
      'ratelimit-remaining': String(LIMIT - 1),
      'ratelimit-reset': '1',
    });
    expect(headers).not.toHaveProperty('retry-after');
  });

  it('counts down', async () => {
    await eventually(async () => {
      await rested();
      const left: unknown[] = [];
      for (let at = 0; at < 3; at++) left.push((await get()).headers['ratelimit-remaining']);
      expect(left).toEqual([LIMIT - 2, LIMIT - 3, LIMIT - 4].map(String));
    });
  });

  it('counts a batch as one request', async () => {
    await eventually(async () => {
      await rested();
      const { headers } = await api.host.request('POST', '/emails/batch', { body: [letter(), letter(), letter()] });
      expect(headers['ratelimit-remaining']).toBe(String(LIMIT - 2));
    });
  });

  it('refuses requests above it with 429, the headers and `retry-after`', async () => {
    const answers = await burst(LIMIT + 10, () => get());
    expect(statuses(answers)).toEqual({ 200: LIMIT - 1, 429: 11 });
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expectRefusal(answer, LIMITED);
      expect(answer.headers).toMatchObject({
        'ratelimit-limit': String(LIMIT),
        'ratelimit-remaining': '0',
        'ratelimit-reset': '1',
        'retry-after': '1',
      });
    }
  });

  it('admits again after `retry-after`', async () => {
    await burst(LIMIT + 1, () => get());
    let tries = 0;
    await eventually(
      async () => {
        tries += 1;
        expect((await get()).status).toBe(200);
      },
      { interval: 100 },
    );
    // Ten attempts in a second, fewer on a slow machine.
    expect(tries).toBeLessThan(25);
  });

  it('writes and sends nothing of a refused request, and does not use up its idempotency key', async () => {
    const body = letter({ subject: 'Limited' });
    const answers = await burst(LIMIT + 5, (at, round) =>
      api.host.request('POST', '/emails', { body, headers: { 'idempotency-key': `limited-${round}-${at}` } }),
    );
    const refused = answers.findIndex(({ status }) => status === 429);
    expectRefusal(answers[refused]!, LIMITED);
    const keys = await api.host.query('SELECT key FROM nestjs_emails.idempotency_keys WHERE key = $1', [
      `limited-${bursts}-${refused}`,
    ]);
    expect(keys).toEqual([]);
    const ids = answers.flatMap(({ body: answer }) => (answer as { id?: string }).id ?? []);
    await eventually(async () => {
      const rows = await api.host.query(`SELECT id FROM nestjs_emails.emails WHERE subject = 'Limited'`);
      expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    });
    await eventually(() => api.deliver());
    const sent = api.sink.offered.filter(({ raw }) => raw.includes('Subject: Limited'));
    const kept = await api.host.query(`SELECT id FROM nestjs_emails.emails WHERE subject = 'Limited'`);
    expect(sent).toHaveLength(kept.length);
  });

  it('is one for all processes', async () => {
    const answers = await burst(2 * LIMIT + 10, (at) => get(at % 2 ? second.url : api.host.url));
    expect(statuses(answers)).toEqual({ 200: LIMIT - 1, 429: LIMIT + 11 });
  });

  it('covers all routes together', async () => {
    const paths = ['/emails', '/api-keys', '/topics', '/contacts', '/templates'];
    const answers = await burst(2 * LIMIT, (at) => api.host.request('GET', paths[at % paths.length]!));
    expect(statuses(answers)).toEqual({ 200: LIMIT - 1, 429: LIMIT + 1 });
  });

  it('is separate for each account', async () => {
    const { token } = await api.host.account('other');
    const one = (at: number) => (at < LIMIT ? get() : get(api.host.url, token));
    const answers = await burst(LIMIT + 5, one, LIMIT - 1 + 5);
    expect(statuses(answers.slice(LIMIT))).toEqual({ 200: 5, 429: 0 });
  });

  it('is not used up until the year 2086 by a process whose clock was ahead', async () => {
    // With Redis this table is not used.
    await api.host.query(`
      INSERT INTO nestjs_emails.rate_limits (key, points, expire)
      SELECT id::text, 1000000, extract(epoch FROM now() + interval '60 years') * 1000 FROM nestjs_emails.accounts
      ON CONFLICT (key) DO UPDATE SET points = excluded.points, expire = excluded.expire`);
    const { status, headers } = await rested();
    expect({ status, reset: headers['ratelimit-reset'] }).toEqual({ status: 200, reset: '1' });
  });

  it('is not used up by unknown callers', async () => {
    const unknown = () => get(api.host.url, 're_nobody_knows_this');
    await eventually(async () => {
      await rested();
      const answers = await Promise.all(Array.from({ length: LIMIT + 5 }, unknown));
      // In the same second, only the earlier requests and this one are used up.
      expect((await get()).headers['ratelimit-remaining']).toBe(String(LIMIT - 2));
      for (const { status, headers } of answers) {
        expect(status).toBe(401);
        expect(headers).not.toHaveProperty('ratelimit-limit');
      }
    });
  });
});

it('without `RATE_LIMIT` there is no limit and no header of one', async () => {
  const free = await ContractHost.start();
  const answers = await Promise.all(Array.from({ length: 100 }, () => free.host.request('GET', '/emails')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(Object.keys(answers[0]!.headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});
