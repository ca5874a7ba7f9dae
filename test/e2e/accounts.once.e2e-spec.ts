import { type RunningHost, startHost } from '../support/hosts/host.js';
import { runScript } from '../support/hosts/host-process.js';
import { post, untilShown } from '../support/reading/deliveries.js';

const EMAIL = { from: 'sender@from.test', to: 'to@to.test', subject: 'Hello', text: 'Hello there' };

/** At least 256 random bits in base64url. */
const TOKEN = /^re_[A-Za-z0-9_-]{43,}$/;

let host: RunningHost;

beforeAll(async () => {
  host = await startHost();
});

describe('account create NAME', () => {
  it('prints one JSON line with the account and a key that works at once', async () => {
    const { code, stdout, output } = await runScript('account', ['create', 'Acme Inc.'], host.env);
    expect(code).toBe(0);
    expect(output).toBe(stdout);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const made = JSON.parse(stdout);
    expect(made).toEqual({
      account: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(TOKEN),
    });
    expect(await host.request('GET', '/emails', { token: made.token })).toMatchObject({
      status: 200,
      body: { object: 'list', has_more: false, data: [] },
    });
    const keys = await host.request<{ data: unknown[] }>('GET', '/api-keys', { token: made.token });
    expect(keys.body.data).toHaveLength(1);
  });

  it('stores no key, only its hash', async () => {
    const { stdout } = await runScript('account', ['create', 'hashed'], host.env);
    const { token: ofCommand } = JSON.parse(stdout) as { token: string };
    const { body } = await host.request<{ token: string }>('POST', '/api-keys', { body: { name: 'second' } });
    const dump = JSON.stringify([
      await host.query('SELECT * FROM nestjs_emails.api_keys'),
      await host.query('SELECT * FROM nestjs_emails.accounts'),
    ]);
    for (const token of [ofCommand, body.token, host.token]) {
      expect(token).toMatch(TOKEN);
      expect(dump).not.toContain(token.slice('re_'.length));
    }
  });

  it('refuses a name in use, and creates nothing', async () => {
    await host.account('taken');
    const before = await host.query('SELECT id FROM nestjs_emails.accounts ORDER BY id');
    for (const name of ['taken', 'default']) {
      const { code, stdout, output } = await runScript('account', ['create', name], host.env);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(output).toBe(`An account named "${name}" exists already. Choose another name.\n`);
    }
    expect(await host.query('SELECT id FROM nestjs_emails.accounts ORDER BY id')).toEqual(before);
  });

  it.each([
    [[]],
    [['create']],
    [['create', '']],
    [['create', 'a', 'b']],
    [['create', 'two\nlines']],
    [['remove', 'x']],
  ])('shows how it is used when called with %j', async (args) => {
    const { code, stdout, output } = await runScript('account', args, host.env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(output).toContain('Usage: npm run account -- create NAME');
  });

  it('makes two accounts of the same name only once when called twice at once', async () => {
    const results = await Promise.all([1, 2].map(() => runScript('account', ['create', 'twins'], host.env)));
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
  });
});

describe('two accounts', () => {
  let other: string;

  beforeAll(async () => {
    ({ token: other } = await host.account('other'));
  });

  const listOf = async (token: string, query = '') =>
    host.request<{ data: { id: string }[]; name: string }>('GET', `/emails${query}`, { token });

  it('see nothing of each other', async () => {
    const mine = await post(host, 'mine@to.test');
    const theirs = (await host.request<{ id: string }>('POST', '/emails', { body: EMAIL, token: other })).body.id;
    await untilShown(host, mine, 'delivered');
    const ids = (await listOf(host.token)).body.data.map(({ id }) => id);
    expect(ids).toContain(mine);
    expect(ids).not.toContain(theirs);
    expect((await listOf(other)).body.data.map(({ id }) => id)).toEqual([theirs]);
  });
});

describe('a host with an embedded database', () => {
  it('accepts a new account while it runs, and while it does not', async () => {
    const alone = await startHost({ services: 'none' });
    const running = await alone.account('while running');
    expect((await alone.request('GET', '/emails', { token: running.token })).status).toBe(200);
    expect(await alone.stop()).toBe(0);
    const stopped = await alone.account('while stopped');
    await alone.start();
    for (const { token } of [running, stopped]) {
      expect((await alone.request('GET', '/emails', { token })).status).toBe(200);
    }
  });
});
