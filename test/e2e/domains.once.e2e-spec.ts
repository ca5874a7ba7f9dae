import { createPublicKey } from 'node:crypto';
import { Resend } from 'resend';
import { until } from '../support/basics/wait-for.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { type AnsweredDomain, DomainRequests, keyOf } from '../support/requests/domain-requests.js';
import { ok } from '../support/requests/sdk-answer.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/);
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const MONTH = new Date().toISOString().slice(2, 7).replace('-', '');
const MX = 'mx.relay.test';

let dns: DnsServer;
let host: RunningHost;
let domains: DomainRequests;

beforeAll(async () => {
  dns = await DnsServer.start();
  host = await startHost({
    env: {
      DNS_SERVERS: dns.address,
      BOUNCE_DOMAIN: 'bounces.relay.test',
      BOUNCE_HOST: MX,
      SPF_MECHANISMS: 'ip4:192.0.2.1 include:spf.relay.test',
      RATE_LIMIT_PER_SECOND: '1000',
    },
  });
  domains = new DomainRequests(host, dns);
});

const record = (facts: Record<string, unknown>) => ({
  ttl: 'Auto',
  status: 'not_started',
  found: null,
  advice: [],
  ...facts,
});
const listed = (name: string, facts: Record<string, unknown> = {}) => ({
  id: ID,
  name,
  status: 'not_started',
  created_at: TIME,
  region: 'us-east-1',
  open_tracking: false,
  click_tracking: false,
  capabilities: { sending: 'enabled', receiving: 'disabled' },
  ...facts,
});
const DKIM_VALUE = expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{390,}=*$/);
const RECORDS = [
  record({
    ...{ record: 'DKIM', name: `s${MONTH}r._domainkey`, type: 'TXT', value: DKIM_VALUE },
    key: { created_at: TIME, verified_at: null, retired_at: null },
  }),
  record({ record: 'SPF', name: 'send', type: 'MX', value: MX, priority: 10 }),
  record({
    record: 'SPF',
    name: 'send',
    type: 'TXT',
    value: 'v=spf1 ip4:192.0.2.1 include:spf.relay.test ~all',
  }),
];
const RECOMMENDED = [record({ record: 'DMARC', name: '_dmarc', type: 'TXT', value: 'v=DMARC1; p=none; np=reject;' })];

const refusal = async (body: unknown, token?: string) => {
  const { status, body: answer } = await host.request<{ name: string; message: string }>('POST', '/domains', {
    body,
    ...(token !== undefined && { token }),
  });
  return [status, answer.name, answer.message];
};

describe('/domains', () => {
  it('creates, shows, lists, changes and deletes a domain', async () => {
    const created = await domains.create({ name: 'crud.example' });
    expect(created).toEqual(listed('crud.example', { records: RECORDS, recommended: RECOMMENDED }));
    const shown = {
      object: 'domain',
      ...listed('crud.example', { records: RECORDS, recommended: RECOMMENDED }),
      tls: 'opportunistic',
      custom_return_path: 'send',
      checked_at: null,
      next_check_at: null,
    };
    expect(await domains.get(created.id)).toEqual(shown);
    const { body: list } = await domains.request<{ data: object[] }>('GET', '/domains');
    expect(list).toEqual({ object: 'list', has_more: false, data: [listed('crud.example')] });

    const path = `/domains/${created.id}`;
    const changes = { tls: 'enforced', capabilities: { sending: 'disabled' }, open_tracking: false, id: created.id };
    const changed = await domains.request('PATCH', path, changes);
    expect([changed.status, changed.body]).toEqual([200, { object: 'domain', id: created.id }]);
    expect(await domains.get(created.id)).toEqual({
      ...shown,
      tls: 'enforced',
      capabilities: { sending: 'disabled', receiving: 'disabled' },
    });
    const removed = await domains.request('DELETE', path);
    expect([removed.status, removed.body]).toEqual([200, { object: 'domain', id: created.id, deleted: true }]);
    for (const [method, at] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/verify`],
      ['POST', `${path}/dkim/rotate`],
    ] as const) {
      const { status, body } = await domains.request(method, at, method === 'PATCH' ? {} : undefined);
      expect([method, status, body]).toEqual([
        method,
        404,
        { statusCode: 404, name: 'not_found', message: 'Domain not found' },
      ]);
    }
    expect(await host.query('SELECT FROM nestjs_emails.domain_keys WHERE domain_id = $1', [created.id])).toEqual([]);
  });

  it('takes what a client may give, and keeps private keys encrypted', async () => {
    const created = await domains.create({
      name: 'full.example',
      region: 'eu-west-1',
      custom_return_path: 'Bounces',
      open_tracking: false,
      click_tracking: false,
      tls: 'enforced',
      capabilities: { sending: 'enabled', receiving: 'disabled' },
      dkim: ['rsa', 'ed25519'],
    });
    expect(created).toMatchObject({ region: 'eu-west-1' });
    expect(created.records.map(({ name }) => name)).toEqual([
      `s${MONTH}r._domainkey`,
      `s${MONTH}e._domainkey`,
      'bounces',
      'bounces',
    ]);
    const [rsa, ed25519] = created.records.map(({ value }) => value.split('p=')[1] ?? '');
    const key = createPublicKey({ key: Buffer.from(rsa!, 'base64'), format: 'der', type: 'spki' });
    expect(key.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048 });
    expect(Buffer.from(ed25519!, 'base64')).toHaveLength(32);
    const stored = await host.query('SELECT * FROM nestjs_emails.domain_keys WHERE domain_id = $1', [created.id]);
    expect(stored).toHaveLength(2);
    // The beginning of PKCS #8 in base64, and of its PEM.
    expect(JSON.stringify(stored)).not.toMatch(/"MII[CE]v|BEGIN/);
    expect(JSON.stringify(await domains.get(created.id))).not.toContain('sealed');
  });

  it.each([
    [{ name: 'A.Case.EXAMPLE.' }, 'a.case.example'],
    [{ name: 'bücher.example' }, 'xn--bcher-kva.example'],
    [{ name: `${'l'.repeat(63)}.example` }, `${'l'.repeat(63)}.example`],
    [{ name: 'shop.example.co.uk' }, 'shop.example.co.uk'],
  ])('reads the name %j', async (body, name) => {
    expect((await domains.create(body)).name).toBe(name);
  });

  it.each([
    [{}, 422, 'missing_required_field'],
    [{ name: 'com' }, 422, 'validation_error'],
    [{ name: 'localhost' }, 422, 'validation_error'],
    [{ name: 'co.uk' }, 422, 'validation_error'],
    [{ name: 'CO.UK.' }, 422, 'validation_error'],
    [{ name: 'github.io' }, 422, 'validation_error'],
    [{ name: 'рф' }, 422, 'validation_error'],
    [{ name: `${'l'.repeat(64)}.example` }, 422, 'validation_error'],
    [{ name: `${'a.'.repeat(120)}example.com` }, 422, 'validation_error'],
    [{ name: 'a..example' }, 422, 'validation_error'],
    [{ name: 'under_score.example' }, 422, 'validation_error'],
    [{ name: '127.0.0.1' }, 422, 'validation_error'],
    [{ name: 'example.com:25' }, 422, 'validation_error'],
    [{ name: 'me@example.com' }, 422, 'validation_error'],
    [{ name: 'exam\0ple.com' }, 422, 'validation_error'],
    [{ name: 'ｅxample.com' }, 422, 'validation_error'],
    [{ name: ['a.example'] }, 422, 'validation_error'],
    [{ name: 'b.example', region: 'moon-1' }, 422, 'invalid_region'],
    [{ name: 'b.example', custom_return_path: '-a' }, 422, 'validation_error'],
    [{ name: 'b.example', custom_return_path: 'a.b' }, 422, 'validation_error'],
    [{ name: 'b.example', custom_return_path: '1a' }, 422, 'validation_error'],
    [{ name: 'b.example', custom_return_path: 'a'.repeat(64) }, 422, 'validation_error'],
    [{ name: 'b.example', open_tracking: true }, 422, 'validation_error'],
    [{ name: 'b.example', tracking_subdomain: 'links' }, 422, 'validation_error'],
    [{ name: 'b.example', capabilities: { receiving: 'enabled' } }, 422, 'validation_error'],
    [{ name: 'b.example', capabilities: 'all' }, 422, 'validation_error'],
    [{ name: 'b.example', tls: 'never' }, 422, 'validation_error'],
    [{ name: 'b.example', dkim: ['ed25519'] }, 422, 'validation_error'],
    [{ name: 'b.example', dkim: 'rsa' }, 422, 'validation_error'],
  ])('refuses %j', async (body, status, name) => {
    expect(await refusal(body)).toEqual([status, name, expect.stringMatching(/`\w+`/)]);
    expect(await host.query("SELECT FROM nestjs_emails.domains WHERE name = 'b.example'")).toEqual([]);
  });

  it('gives a domain to one of the accounts that ask at the same time, in any spelling', async () => {
    const other = await host.account('other');
    const spellings = ['race.example', 'RACE.example', 'race.example.', 'Race.Example.'];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => refusal({ name: spellings[n % 4] }, n % 2 ? other.token : host.token)),
    );
    const taken = [403, 'validation_error', 'The `race.example` domain has been registered already.'];
    expect(answers.filter(([status]) => status === 201)).toHaveLength(1);
    expect(answers.filter(([status]) => status !== 201)).toEqual(Array.from({ length: 7 }, () => taken));
    expect(await refusal({ name: 'race.example' })).toEqual(taken);
    expect(await refusal({ name: 'race.example' }, other.token)).toEqual(taken);
  });

  it('shows no domain to another account', async () => {
    const { id } = await domains.create({ name: 'mine.example' });
    const other = await host.account('stranger');
    const theirs = new DomainRequests(host, dns, other.token);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
      ['POST', '/dkim/rotate'],
    ] as const) {
      const { status } = await theirs.request(method, `/domains/${id}${path}`, method === 'PATCH' ? {} : undefined);
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect((await theirs.request<{ data: unknown[] }>('GET', '/domains')).body.data).toEqual([]);
    expect((await domains.get(id)).status).toBe('not_started');
  });

  it('works with the official client', async () => {
    const resend = new Resend(host.token, { baseUrl: host.url });
    const made = await ok(resend.domains.create({ name: 'sdk.example', region: 'sa-east-1', customReturnPath: 'out' }));
    expect(made).toMatchObject({ name: 'sdk.example', status: 'not_started', region: 'sa-east-1' });
    const { data } = await ok(resend.domains.list());
    expect(data).toContainEqual(listed('sdk.example', { region: 'sa-east-1' }));
    expect(await ok(resend.domains.get(made.id))).toMatchObject({ object: 'domain', id: made.id });
    const answer = { object: 'domain', id: made.id };
    expect(await ok(resend.domains.update({ id: made.id, tls: 'enforced', openTracking: false }))).toEqual(answer);
    expect(await ok(resend.domains.verify(made.id))).toEqual(answer);
    expect(await ok(resend.domains.remove(made.id))).toEqual({ ...answer, deleted: true });
  });

  it('records who changed what', async () => {
    const { id } = await domains.create({ name: 'actions.example' });
    await domains.request('PATCH', `/domains/${id}`, { tls: 'enforced' });
    await domains.request('POST', `/domains/${id}/verify`);
    await domains.request('POST', `/domains/${id}/dkim/rotate`);
    await domains.request('DELETE', `/domains/${id}`);
    const { body } = await host.request<{ data: { action: string; ids: string[] }[] }>('GET', '/actions?limit=5');
    expect(body.data.map(({ action, ids }) => [action, ids])).toEqual([
      ['domain.delete', [id]],
      ['domain.rotate_dkim', [id]],
      ['domain.verify', [id]],
      ['domain.update', [id]],
      ['domain.create', [id]],
    ]);
  });

  it('makes a new pair at a rotation, under a selector that was never used', async () => {
    const domain: AnsweredDomain = await domains.createVerified({ name: 'rotate.example' });
    expect([domain.status, keyOf(domain).status]).toEqual(['verified', 'verified']);
    const rotate = () => domains.request('POST', `/domains/${domain.id}/dkim/rotate`);
    expect((await rotate()).body).toEqual({ object: 'domain', id: domain.id });
    const first = await domains.get(domain.id);
    expect(keyOf(first, `s${MONTH}r`)).toMatchObject({ status: 'verified' });
    expect(keyOf(first, `s${MONTH}r2`)).toMatchObject({ status: 'pending' });
    expect(first.status).toBe('verified');
    // The pending pair is replaced.
    await rotate();
    const second = await domains.get(domain.id);
    expect(second.records.filter(({ record: kind }) => kind === 'DKIM').map(({ name }) => name)).toEqual([
      `s${MONTH}r._domainkey`,
      `s${MONTH}r3._domainkey`,
    ]);
    dns.zone[`s${MONTH}r3._domainkey.rotate.example`] = { TXT: [keyOf(second, `s${MONTH}r3`).value] };
    const verified = await domains.verify(domain.id);
    expect([verified.status, keyOf(verified, `s${MONTH}r3`).status]).toEqual(['verified', 'verified']);
    // The old one stays listed, and signs no more.
    expect(keyOf(verified, `s${MONTH}r`).status).toBe('verified');
    const keys = await host.query(
      'SELECT selector, retired_at IS NULL AS signs FROM nestjs_emails.domain_keys WHERE domain_id = $1 ORDER BY 1',
      [domain.id],
    );
    expect(keys).toEqual([
      { selector: `s${MONTH}r`, signs: false },
      { selector: `s${MONTH}r3`, signs: true },
    ]);
    await host.query(
      "UPDATE nestjs_emails.domain_keys SET retired_at = now() - interval '8 days' WHERE retired_at IS NOT NULL",
    );
    await host.restart();
    const left = await domains.get(domain.id);
    expect(left.records.filter(({ record: kind }) => kind === 'DKIM')).toHaveLength(1);
  });

  it('are encrypted with a new secret a while after the start, so that the old one may go', async () => {
    const { id } = await domains.createVerified({ name: 'sealed.example', dkim: ['rsa', 'ed25519'] });
    const dist = (file: string) => import(new URL(`../../libs/emails/dist/${file}`, import.meta.url).href);
    const { SecretKeys } = await dist('shared/keys/secret-keys.js');
    const { SealedKeys } = await dist('domains/keys/sealed-keys.js');
    const { KeyResealing } = await dist('domains/keys/key-resealing.js');
    const fresh = 'new-secret-of-this-test-'.repeat(2);
    const sealedKeys = new SealedKeys(new SecretKeys([fresh, host.env.SECRET_KEY]));
    const dataSource = { transaction: (work: (manager: object) => unknown) => work({ query: host.query.bind(host) }) };
    const resealing = new KeyResealing(dataSource, sealedKeys);
    const stored = () =>
      host.query<{ sealed: string }>('SELECT * FROM nestjs_emails.domain_keys ORDER BY domain_id, selector');
    await host.query(
      `INSERT INTO nestjs_emails.domain_keys SELECT (jsonb_populate_record(k, '{"selector": "corrupt"}')).*
       FROM nestjs_emails.domain_keys k WHERE domain_id = $1 LIMIT 1`,
      [id],
    );
    const before = await stored();
    expect(await resealing.step()).toBe(false);
    expect(await stored()).toEqual(before);
    expect(await resealing.step()).toBe(false);
    const after = await stored();
    expect(after.filter(({ sealed }, at) => sealed === before[at]?.sealed)).toEqual([
      expect.objectContaining({ selector: 'corrupt' }),
    ]);
    await host.query(`DELETE FROM nestjs_emails.domain_keys WHERE selector = 'corrupt'`);
    host.env.SECRET_KEY = fresh;
    const said = host.output.length;
    await host.restart();
    expect(host.output.slice(said)).not.toMatch(/cannot be opened: the key/);
    const codes = (await domains.get(id)).records.flatMap(({ advice }) => advice.map(({ code }) => code));
    expect(codes).not.toContain('key_unreadable');
  });

  it('says that a key cannot be opened once the secret is lost', async () => {
    const { id } = await domains.createVerified({ name: 'lost.example' });
    host.env.SECRET_KEY = 'another-secret-of-this-test-'.repeat(2);
    const said = host.output.length;
    await host.restart();
    expect(host.output.slice(said)).toMatch(/cannot be opened: the key that they are encrypted with/);
    await until(() => host.output.slice(said).includes('"alarm":"domain_keys_unreadable"'));
    const lost = await domains.get(id);
    expect(keyOf(lost).advice).toContainEqual({
      code: 'key_unreadable',
      text: expect.stringContaining('Emails of the domain wait'),
    });
    await domains.request('POST', `/domains/${id}/dkim/rotate`);
    const rotated = await domains.get(id);
    expect(keyOf(rotated, `s${MONTH}r2`).advice).toEqual([]);
  });
});
