import { text } from 'node:stream/consumers';
import { eventually, until } from '../support/basics/wait-for.js';
import type { DnsRecords } from '../support/dns/dns-records.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import {
  type AnsweredDomain,
  type AnsweredRecord,
  DomainRequests,
  keyOf,
} from '../support/requests/domain-requests.js';
import { FileServer } from '../support/servers/file-server.js';

const MX = 'mx.relay.test';
const MECHANISM = 'ip4:192.0.2.1';

let dns: DnsServer;
let host: RunningHost;
let domains: DomainRequests;
let receiver: FileServer;
const events: { type: string; data: { name: string; status: string; records: AnsweredRecord[] } }[] = [];

beforeAll(async () => {
  dns = await DnsServer.start();
  receiver = await FileServer.start();
  receiver.routes['/hook'] = async (request, response) => {
    events.push(JSON.parse(await text(request)));
    response.writeHead(200).end();
  };
  host = await startHost({
    env: {
      DNS_SERVERS: dns.address,
      BOUNCE_DOMAIN: 'bounces.relay.test',
      BOUNCE_HOST: MX,
      SPF_MECHANISMS: MECHANISM,
      RATE_LIMIT_PER_SECOND: '1000',
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
    },
  });
  domains = new DomainRequests(host, dns);
  await host.request('POST', '/webhooks', {
    body: {
      endpoint: `${receiver.url}/hook`,
      events: ['domain.created', 'domain.updated', 'domain.deleted'],
    },
  });
});

beforeEach(() => {
  dns.queries.length = 0;
});

const statuses = ({ status, records }: AnsweredDomain) => [status, ...records.map((record) => record.status)];
const adviceOf = (records: readonly AnsweredRecord[]) =>
  records.flatMap(({ name, type, advice }) => advice.map(({ code }) => `${name} ${type} ${code}`));
const eventsOf = (domain: string) =>
  events.filter(({ data }) => data.name === domain).map(({ type, data }) => [type, data.status]);

/** Moves what a domain waits for into the past, and has a process check it. */
async function later(id: string, hours: number): Promise<AnsweredDomain> {
  const before = (await domains.get(id)).checked_at;
  await host.query(
    `UPDATE nestjs_emails.domains SET next_check_at = now() - interval '1 second', checks = (
       SELECT jsonb_object_agg(key, CASE WHEN value->>'since' IS NULL THEN value
         ELSE jsonb_set(value, '{since}', to_jsonb(to_char(((value->>'since')::timestamptz - $2 * interval '1 hour')
           AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) END)
       FROM jsonb_each(checks)) WHERE id = $1`,
    [id, hours],
  );
  // A worker looks for what is due when it starts.
  await host.restart();
  return until(async () => {
    const now = await domains.get(id);
    return now.checked_at !== before && now;
  });
}

describe('the checks of a domain', () => {
  it('verify it, with webhooks in order, and look at it again in six hours', async () => {
    const domain = await domains.createVerified({ name: 'good.example' });
    expect(statuses(domain)).toEqual(['verified', 'verified', 'verified', 'verified']);
    expect(adviceOf([...domain.records, ...domain.recommended])).toEqual(['_dmarc TXT dmarc_no_reports']);
    expect(domain.recommended).toMatchObject([{ record: 'DMARC', status: 'verified' }]);
    const hours = (Date.parse(domain.next_check_at!) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(5);
    expect(hours).toBeLessThan(7);
    await eventually(() =>
      expect(eventsOf('good.example')).toEqual([
        ['domain.created', 'not_started'],
        ['domain.updated', 'pending'],
        ['domain.updated', 'verified'],
      ]),
    );
    const [created] = events.filter(({ data }) => data.name === 'good.example');
    expect(created?.data).toEqual({
      id: domain.id,
      name: 'good.example',
      status: 'not_started',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      region: 'us-east-1',
      capabilities: { sending: 'enabled', receiving: 'disabled' },
      records: domain.records.map(({ found, advice, key, ...record }) => ({ ...record, status: 'not_started' })),
    });
    await domains.request('DELETE', `/domains/${domain.id}`);
    await eventually(() => expect(eventsOf('good.example').at(-1)).toEqual(['domain.deleted', 'verified']));
  });

  it('wait for records that are missing, and give up after 72 h', async () => {
    const { id } = await domains.create({ name: 'slow.example' });
    const first = await domains.verify(id);
    expect(statuses(first)).toEqual(['pending', 'pending', 'pending', 'pending']);
    expect(adviceOf(first.records)).toEqual([
      expect.stringMatching(/_domainkey TXT not_found$/),
      'send MX not_found',
      'send TXT not_found',
    ]);
    const seconds = (Date.parse(first.next_check_at!) - Date.now()) / 1_000;
    expect(seconds).toBeLessThan(61);
    expect(statuses(await later(id, 71))).toEqual(['pending', 'pending', 'pending', 'pending']);
    expect(statuses(await later(id, 2))).toEqual(['failed', 'failed', 'failed', 'failed']);
    // A request starts the 72 h again.
    expect(statuses(await domains.verify(id))).toEqual(['pending', 'pending', 'pending', 'pending']);
    await eventually(() =>
      expect(eventsOf('slow.example')).toEqual([
        ['domain.created', 'not_started'],
        ['domain.updated', 'pending'],
        ['domain.updated', 'failed'],
        ['domain.updated', 'pending'],
      ]),
    );
    publishRecords(dns.zone, 'slow.example', (await domains.get(id)).records);
    expect((await later(id, 1)).status).toBe('verified');
  });

  it('keep a domain verified for 72 h after a record vanished', async () => {
    const domain = await domains.createVerified({ name: 'gone.example' });
    const { TXT: spf, ...others } = dns.zone['send.gone.example']!;
    dns.zone['send.gone.example'] = others;
    const missing = ['verified', 'verified', 'verified', 'temporary_failure'];
    expect(statuses(await domains.verify(domain.id))).toEqual(missing);
    expect(statuses(await later(domain.id, 71))).toEqual(missing);
    expect(statuses(await later(domain.id, 2))).toEqual(['failed', 'verified', 'verified', 'failed']);
    dns.zone['send.gone.example'] = { ...others, TXT: spf! };
    expect((await later(domain.id, 0)).status).toBe('verified');
  });

  it('keep a domain verified when the host asks for other records of the return path', async () => {
    const domain = await domains.createVerified({ name: 'asked.example' });
    const { SPF_MECHANISMS } = host.env;
    Object.assign(host.env, { SPF_MECHANISMS: `${MECHANISM} ip4:192.0.2.2` });
    try {
      expect(statuses(await later(domain.id, 0))).toEqual(['verified', 'verified', 'verified', 'pending']);
      expect(statuses(await later(domain.id, 73))).toEqual(['verified', 'verified', 'verified', 'failed']);
      const { value } = (await domains.get(domain.id)).records.at(-1)!;
      dns.zone['send.asked.example'] = { ...dns.zone['send.asked.example'], TXT: [value] };
      expect(statuses(await later(domain.id, 0))).toEqual(['verified', 'verified', 'verified', 'verified']);
    } finally {
      Object.assign(host.env, { SPF_MECHANISMS });
      await host.restart();
    }
  });

  it.each(['SERVFAIL', 'REFUSED', 'silence', 'truncated, then silence', 'wrong id', 'garbage'] as const)(
    'know nothing where DNS answers with %s',
    async (fault) => {
      const name = `${fault.replace(/\W+/g, '-').toLowerCase()}.example`;
      const domain = await domains.createVerified({ name });
      const good = Object.keys(dns.zone).filter((key) => key.endsWith(name));
      for (const key of good) dns.zone[key] = { ...dns.zone[key], fault };
      const unknown = await domains.verify(domain.id);
      expect(statuses(unknown)).toEqual(['verified', 'verified', 'verified', 'verified']);
      expect(adviceOf(unknown.records).map((one) => one.split(' ').at(-1))).toEqual(Array(3).fill('no_answer'));
      for (const key of good) delete dns.zone[key]!.fault;
    },
  );

  it('read 64 kB of records, and go round no circle', async () => {
    const { id, records } = await domains.create({ name: 'large.example' });
    publishRecords(dns.zone, 'large.example', records);
    const send = dns.zone['send.large.example']!;
    dns.zone['send.large.example'] = { ...send, TXT: [...send.TXT!, 'x'.repeat(60_000)] };
    expect(statuses(await domains.verify(id))).toEqual(['verified', 'verified', 'verified', 'verified']);
    dns.zone['send.large.example'] = { TXT: ['y'.repeat(64_000)], MX: [] };
    const large = await domains.verify(id);
    expect(JSON.stringify(large).length).toBeLessThan(10_000);
    dns.zone['send.large.example'] = { CNAME: 'other.large.example' };
    dns.zone['other.large.example'] = { CNAME: 'send.large.example' };
    const circle = await domains.verify(id);
    expect(adviceOf(circle.records)).toContain('send TXT cname');
  });

  it('reach the domain of an account although another has a thousand that are due longer', async () => {
    const { id } = await domains.createVerified({ name: 'patient.example' });
    const names = Array.from({ length: 1_000 }, (_, at) => `hog${at}.example`);
    for (const name of names) dns.zone[`send.${name}`] = { fault: 'silence' };
    try {
      await host.query(
        `INSERT INTO nestjs_emails.domains (id, account_id, name, region, return_path, tls, challenge, next_check_at)
         SELECT gen_random_uuid(), 'hog', name, 'us-east-1', 'send', 'opportunistic', 'c', now() - interval '1 day'
         FROM unnest($1::text[]) AS name`,
        [names],
      );
      await later(id, 0);
      const [left] = await host.query<{ count: string }>(
        `SELECT count(*) FROM nestjs_emails.domains WHERE account_id = 'hog' AND checked_at IS NULL`,
      );
      expect(Number(left?.count)).toBeGreaterThan(900);
    } finally {
      await host.query(`DELETE FROM nestjs_emails.domains WHERE account_id = 'hog'`);
      for (const name of names) delete dns.zone[`send.${name}`];
    }
  });

  it('check a domain at most once at a time, and every two seconds, however often they are asked for', async () => {
    const { id } = await domains.create({ name: 'often.example' });
    await Promise.all(Array.from({ length: 30 }, () => domains.request('POST', `/domains/${id}/verify`)));
    await until(async () => (await domains.get(id)).checked_at);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    const asked = dns.queries.filter(({ name, type }) => name === 'send.often.example' && type === 'MX');
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it('leave a check of a process that died to another one', async () => {
    const { id, records } = await domains.create({ name: 'crash.example' });
    publishRecords(dns.zone, 'crash.example', records);
    for (const key of Object.keys(dns.zone)) if (key.endsWith('crash.example')) dns.zone[key]!.delay = 5_000;
    await domains.request('POST', `/domains/${id}/verify`);
    await until(() => dns.queries.some(({ name }) => name.endsWith('crash.example')));
    await host.kill();
    for (const key of Object.keys(dns.zone)) delete dns.zone[key]!.delay;
    // In place of the minute that a lease lasts.
    await host.query('UPDATE nestjs_emails.domains SET leased_until = now() WHERE id = $1', [id]);
    await host.start();
    await until(async () => (await domains.get(id)).status === 'verified');
  });
});

type Change = (zone: Record<string, DnsRecords>, domain: AnsweredDomain) => void;

const spfOf =
  (...texts: string[]): Change =>
  (zone, { name }) => {
    const at = `send.${name}`;
    zone[at] = { ...zone[at], TXT: texts };
  };
const keyAs =
  (change: (value: string) => string | readonly string[]): Change =>
  (zone, domain) => {
    const { name, value } = keyOf(domain);
    zone[`${name}.${domain.name}`] = { TXT: [change(value)] };
  };
const mxOf =
  (...exchanges: string[]): Change =>
  (zone, { name }) => {
    const at = `send.${name}`;
    zone[at] = { ...zone[at], MX: exchanges.map((exchange) => ({ exchange, priority: 10 })) };
  };
const dmarcOf =
  (...texts: string[]): Change =>
  (zone, { name }) => {
    zone[`_dmarc.${name}`] = { TXT: texts };
  };
const moved =
  (to: (name: string, domain: string) => string): Change =>
  (zone, domain) => {
    const { name, value } = keyOf(domain);
    delete zone[`${name}.${domain.name}`];
    zone[to(name, domain.name)] = { TXT: [value] };
  };

const GOOD_SPF = `v=spf1 ${MECHANISM} ~all`;
const ADVICE: [what: string, change: Change, advice: string[], status: string][] = [
  ['another order and more mechanisms', spfOf(`V=SPF1 a  +${MECHANISM} -all`), [], 'verified'],
  [
    'the key in three strings',
    keyAs((value) => [value.slice(0, 100), value.slice(100, 300), value.slice(300)]),
    [],
    'verified',
  ],
  [
    'blanks and another order in the key',
    keyAs((value) => `v=DKIM1 ;p=${value.split('p=')[1]}; k=rsa; t=s`),
    [],
    'verified',
  ],
  ['another text next to the SPF record', spfOf('site-verification=1', GOOD_SPF), [], 'verified'],
  ['two SPF records', spfOf(GOOD_SPF, 'v=spf1 -all'), ['several_spf'], 'pending'],
  ['an SPF record without ours', spfOf('v=spf1 include:other.test ~all'), ['spf_lacks'], 'pending'],
  ['ours after all', spfOf(`v=spf1 ~all ${MECHANISM}`), ['spf_after_all'], 'pending'],
  ['an SPF record for everybody', spfOf(`v=spf1 ${MECHANISM} +all`), ['spf_allows_all'], 'verified'],
  ['no SPF record', spfOf('hello'), ['no_spf'], 'pending'],
  ['an SPF record in quotes', spfOf(`"${GOOD_SPF}"`), ['quoted'], 'pending'],
  ['a key that is cut', keyAs((value) => value.slice(0, 255)), ['key_cut'], 'pending'],
  ['a revoked key', keyAs(() => 'v=DKIM1; k=rsa; p='), ['key_revoked'], 'pending'],
  ['a key in quotes', keyAs((value) => `"${value}"`), ['quoted'], 'pending'],
  ['a key with backslashes', keyAs((value) => value.replaceAll(';', '\\;')), ['quoted'], 'pending'],
  ['another algorithm', keyAs((value) => value.replace('k=rsa', 'k=ed25519')), ['wrong_tag'], 'pending'],
  ['another key', keyAs((value) => value.replace(/p=.{20}/, 'p=MIIBIjANBgkqhkiG9w00')), ['another_key'], 'pending'],
  ['another text', keyAs(() => 'hello'), ['not_a_key'], 'pending'],
  ['a key in test mode', keyAs((value) => `${value}; t=y`), ['test_mode'], 'verified'],
  ['a key below the domain twice', moved((name, domain) => `${name}.${domain}.${domain}`), ['misplaced'], 'pending'],
  [
    'a wildcard',
    (zone, domain) => {
      delete zone[`${keyOf(domain).name}.${domain.name}`];
      zone[`*.${domain.name}`] = { TXT: ['v=spf1 -all'] };
    },
    ['wildcard'],
    'pending',
  ],
  [
    'a CNAME record',
    (zone, domain) => {
      zone[`${keyOf(domain).name}.${domain.name}`] = { CNAME: 'dkim.other.test' };
    },
    ['cname'],
    'pending',
  ],
  ['another MX record', mxOf('mail.other.test'), ['other_mx'], 'pending'],
  ['other MX records next to ours', mxOf('mail.other.test', MX.toUpperCase()), ['mx_others'], 'verified'],
  ['a null MX', mxOf(''), ['null_mx'], 'pending'],
  ['no DMARC record', (zone, { name }) => delete zone[`_dmarc.${name}`], ['no_dmarc'], 'verified'],
  [
    'removed tags',
    dmarcOf('v=DMARC1; p=none; pct=50; ri=3600; rua=mailto:d@a.test'),
    ['dmarc_removed_tags'],
    'verified',
  ],
  ['two DMARC records', dmarcOf('v=DMARC1; p=none', 'v=DMARC1; p=reject'), ['several_dmarc'], 'verified'],
  ['a DMARC record without policy', dmarcOf('v=DMARC1; rua=mailto:d@a.test'), ['dmarc_policy'], 'verified'],
  ['a strict DMARC record', dmarcOf('v=DMARC1; p=none; aspf=s; rua=mailto:d@a.test'), ['dmarc_strict'], 'verified'],
];

describe('advice', () => {
  it.each(ADVICE)('says what is wrong: %s', async (what, change, expected, status) => {
    const name = `${what.replace(/\W+/g, '-').toLowerCase()}.example`;
    const domain = await domains.create({ name });
    publishRecords(dns.zone, name, domain.records);
    dns.zone[`_dmarc.${name}`] = { TXT: ['v=DMARC1; p=none; rua=mailto:d@a.test'] };
    change(dns.zone, domain);
    const checked = await domains.verify(domain.id);
    const advice = [...checked.records, ...checked.recommended].flatMap((record) => record.advice);
    expect(advice.map(({ code }) => code)).toEqual(expected);
    expect(checked.status).toBe(status);
    for (const { text: sentence } of advice) expect(sentence).toMatch(/^[A-Z][^{}]+\.$/);
  });

  it('finds the key of the other algorithm at a selector', async () => {
    const { id, records } = await domains.create({ name: 'swapped.example', dkim: ['rsa', 'ed25519'] });
    const [rsa, ed25519, ...others] = records;
    publishRecords(dns.zone, 'swapped.example', [
      { ...rsa!, value: ed25519!.value },
      { ...ed25519!, value: rsa!.value },
      ...others,
    ]);
    const checked = await domains.verify(id);
    expect(adviceOf(checked.records).map((one) => one.split(' ').at(-1))).toEqual([
      'key_of_other_selector',
      'key_of_other_selector',
    ]);
  });

  it('shows records that strangers wrote as text, shortened', async () => {
    const { id, records } = await domains.create({ name: 'hostile.example' });
    publishRecords(dns.zone, 'hostile.example', records);
    dns.zone['send.hostile.example'] = { TXT: ['\0\u{1F600}'.repeat(5_000), ...Array(20).fill('<script>')], MX: [] };
    const { records: checked } = await domains.verify(id);
    const spf = checked.find(({ type, name }) => type === 'TXT' && name === 'send')!;
    expect(spf.found).toHaveLength(5);
    expect(spf.found!.every((value) => value.length <= 1_200 && !value.includes('\0'))).toBe(true);
  });

  it('says that the record of a domain above applies', async () => {
    dns.zone['_dmarc.above.example'] = { TXT: ['v=DMARC1; p=reject; rua=mailto:d@a.test'] };
    const { id } = await domains.create({ name: 'mail.news.above.example' });
    const { recommended } = await domains.verify(id);
    expect(recommended).toMatchObject([{ status: 'verified', advice: [{ code: 'inherited_dmarc' }] }]);
  });
});
