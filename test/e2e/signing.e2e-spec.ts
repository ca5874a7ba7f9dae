import { generateKeyPairSync } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { freePort } from '../support/basics/free-port.mjs';
import { until } from '../support/basics/wait-for.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords, type ShownRecord } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { askMailauth } from '../support/judges/mailauth.js';
import { eventsOf, eventTypes, post, untilShown } from '../support/reading/deliveries.js';
import { headerLines, parseMime } from '../support/reading/mime.js';
import { deliveryReport } from '../support/requests/delivery-report.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

interface Domain {
  id: string;
  status: string;
  records: ShownRecord[];
}

const ADMIN_TOKEN = 'an-admin-token-of-32-characters-or-more';

let dns: DnsServer;
let sink: SmtpSink;
let host: RunningHost;
let bouncePort: number;
/** A verified domain. */
let shop: Domain;

const show = async (id: string) => (await host.request<Domain>('GET', `/domains/${id}`)).body;

async function created(name: string, fields: object = {}): Promise<Domain> {
  const answer = await host.request<Domain>('POST', '/domains', { body: { name, ...fields } });
  expect(answer).toMatchObject({ status: 201 });
  return show(answer.body.id);
}

/** Publishes the records that are shown, and waits until the domain is verified. */
async function verified(name: string, fields: object = {}): Promise<Domain> {
  const domain = await created(name, fields);
  publishRecords(dns.zone, name, domain.records);
  await host.request('POST', `/domains/${domain.id}/verify`);
  return until(async () => {
    const now = await show(domain.id);
    return now.status === 'verified' && now;
  });
}

/** Sends an email; resolves with its message. */
async function sent(from: string, to: string, fields: object = {}): Promise<SinkMessage & { id: string }> {
  const id = await post(host, to, { from, ...fields });
  const message = await sink.waitFor(({ envelope }) => envelope.to.includes(to));
  return { ...message, id };
}

/** Verdicts of mailauth, by the DNS, as `selector: valid`. */
async function verdicts({ raw, envelope }: SinkMessage): Promise<string[]> {
  const judged = await askMailauth([{ name: 'one', raw, from: envelope.from, to: envelope.to[0] ?? '' }], dns);
  return (judged.get('one') ?? []).map(({ domain, isValid }) => `${domain} ${isValid ? 'pass' : 'fail'}`);
}

const header = ({ raw }: SinkMessage, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw.toString())?.[1];
const unfolded = ({ raw }: SinkMessage, name: string) =>
  headerLines(raw)
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.replace(/\r\n[ \t]+/g, ' ') ?? '';
const selectors = ({ raw }: SinkMessage) => [...raw.toString().matchAll(/\bs=([\w-]+);/g)].map(([, one]) => one);

beforeAll(async () => {
  [sink, dns, bouncePort] = await Promise.all([SmtpSink.start(), DnsServer.start(), freePort()]);
  host = await startHost({
    smtp: sink,
    env: {
      DNS_SERVERS: dns.address,
      BOUNCE_DOMAIN: 'bounces.test',
      BOUNCE_SMTP_PORT: String(bouncePort),
      BOUNCE_HOST: 'mx.bounces.test',
      SPF_MECHANISMS: 'ip4:192.0.2.1',
      FEEDBACK_ID: 'acme-1',
      PUBLIC_URL: 'https://mail.shop.test',
      RECIPIENTS_PER_MESSAGE: 'topics',
      ADMIN_TOKEN,
      RETRY_SCHEDULE: Array(20).fill('1s').join(','),
    },
  });
  shop = await verified('shop.test', { dkim: ['rsa', 'ed25519'] });
});

beforeEach(() => sink.reset());

describe(`mail of a domain, queue on ${queueKind()}`, () => {
  it('leaves signed by its keys, aligned with its address', async () => {
    const message = await sent('Shop <a@shop.test>', 'signed@to.test');
    expect(await verdicts(message)).toEqual(['shop.test pass', 'shop.test pass']);
    expect(message.envelope.from).toMatch(/^b\+[a-z2-7]{47}@send\.shop\.test$/);
    expect(header(message, 'Message-ID')).toMatch(/@shop\.test>$/);
    expect(header(message, 'Feedback-ID')).toMatch(/^:[\w-]+:single:acme-1$/);
  });

  it('leaves signed with attachments, in each form, with an international name and a long header', async () => {
    const attachments = [
      { filename: 'large.bin', content: Buffer.alloc(1_500_000, 'a b\r\n').toString('base64') },
      { filename: 'Grüße.eml', content: Buffer.from('Subject: Grüße\r\n\r\nGrüße\r\n').toString('base64') },
    ];
    const fields = { subject: 'Grüße '.repeat(60), headers: { 'In-Reply-To': `<${'x'.repeat(900)}@to.test>` } };
    const message = await sent('Grüße <a@shop.test>', 'whole@to.test', { ...fields, attachments });
    expect(await verdicts(message)).toEqual(['shop.test pass', 'shop.test pass']);
    const forged = { ...message, raw: Buffer.from(message.raw.toString('latin1').replace('YSBi', 'YSBj'), 'latin1') };
    expect(await verdicts(forged)).toEqual(['shop.test fail', 'shop.test fail']);
  });

  it('leaves as one message for each recipient, each signed with the link of its own', async () => {
    const topic = { name: 'News', default_subscription: 'opt_in' };
    const { id: topic_id } = (await host.request<{ id: string }>('POST', '/topics', { body: topic })).body;
    const to = ['jane@reader.test', 'joe@reader.test'];
    const html = '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Off</a>';
    await post(host, to, { from: 'a@shop.test', topic_id, html, text: 'News' });
    const messages = await Promise.all(
      to.map((address) => sink.waitFor(({ envelope }) => envelope.to.includes(address))),
    );
    const links = messages.map((message) => /<(https:[^>]+)>/.exec(unfolded(message, 'List-Unsubscribe'))?.[1]);
    expect(new Set(links).size).toBe(to.length);
    for (const [at, message] of messages.entries()) {
      expect(message.envelope.to).toEqual([to[at]]);
      expect(await verdicts(message)).toEqual(['shop.test pass', 'shop.test pass']);
      expect(header(message, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
      expect(unfolded(message, 'DKIM-Signature').toLowerCase()).toMatch(
        /h=[^;]*list-unsubscribe:list-unsubscribe-post/,
      );
      const { html: shown } = await parseMime(message.raw);
      expect(shown).toContain(`<a href="${links[at]}">`);
    }
  });

  it('brings its bounces to the listener', async () => {
    const { id, envelope } = await sent('a@shop.test', 'gone@to.test');
    await untilShown(host, id, 'sent');
    const transport = createTransport({ host: '127.0.0.1', port: bouncePort, ignoreTLS: true });
    const raw = deliveryReport(['gone@to.test']);
    await transport.sendMail({ envelope: { from: '', to: envelope.from }, raw });
    await untilShown(host, id, 'bounced');
    const stranger = envelope.from.replace(/\+./, '+7').replace(/\+7(.)/, '+77');
    await expect(transport.sendMail({ envelope: { from: '', to: stranger }, raw })).rejects.toMatchObject({
      responseCode: 550,
    });
  });

  it('leaves unsigned before its record is verified, and from other domains', async () => {
    await created('new.test');
    for (const [from, to] of [
      ['a@new.test', 'new@to.test'],
      ['a@else.test', 'else@to.test'],
      ['a@news.shop.test', 'child@to.test'],
    ] as const) {
      const message = await sent(from, to);
      expect(header(message, 'DKIM-Signature')).toBeUndefined();
      expect(message.envelope.from).toMatch(/@bounces\.test$/);
      expect(header(message, 'Feedback-ID')).toBeUndefined();
    }
  });

  it('is signed by the old keys until the new ones are verified', async () => {
    const before = selectors(await sent('a@shop.test', 'before@to.test'));
    expect(await host.request('POST', `/domains/${shop.id}/dkim/rotate`)).toMatchObject({ status: 200 });
    const pending = await sent('a@shop.test', 'pending@to.test');
    expect(selectors(pending)).toEqual(before);
    publishRecords(dns.zone, 'shop.test', (await show(shop.id)).records);
    await host.request('POST', `/domains/${shop.id}/verify`);
    const rotated = await until(async () => {
      sink.reset();
      const message = await sent('a@shop.test', 'rotated@to.test');
      return selectors(message).every((one) => !before.includes(one)) && message;
    });
    expect(await verdicts(rotated)).toEqual(['shop.test pass', 'shop.test pass']);
  });
});

describe(`a key that cannot sign, queue on ${queueKind()}`, () => {
  it('delays its emails, which leave signed when it can, and holds up no others', async () => {
    await verified('broken.test');
    const kept = await host.query<{ selector: string; sealed: string }>(
      "SELECT selector, sealed FROM nestjs_emails.domain_keys JOIN nestjs_emails.domains d ON d.id = domain_id WHERE d.name = 'broken.test'",
    );
    const set = (sealed: string, selector: string) =>
      host.query(
        'UPDATE nestjs_emails.domain_keys SET sealed = $1 WHERE selector = $2 AND domain_id IN (SELECT id FROM nestjs_emails.domains WHERE name = $3)',
        [sealed, selector, 'broken.test'],
      );
    const { privateKey } = generateKeyPairSync('ed25519');
    for (const { selector } of kept)
      await set(privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), selector);
    // Answers about domains are kept for a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const id = await post(host, 'waits@to.test', { from: 'a@broken.test' });
    await untilShown(host, id, 'delivery_delayed');
    expect(await eventsOf(host, id)).toContainEqual(
      expect.objectContaining({ type: 'delivery_delayed', reason: 'The message could not be made: CannotSign' }),
    );
    await sent('a@shop.test', 'other@to.test');
    await until(() => host.output.includes('A key of broken.test cannot sign'));
    const faults = () => host.query('SELECT domain FROM nestjs_emails.signing_faults');
    expect(await faults()).toEqual([{ domain: 'broken.test' }]);
    const metrics = async () => (await host.request('GET', '/metrics', { token: ADMIN_TOKEN })).text;
    // A count holds for five seconds.
    await until(async () => /domains_not_signing 1\b/.test(await metrics()));
    expect(sink.messages.filter(({ envelope }) => envelope.to.includes('waits@to.test'))).toEqual([]);

    for (const { selector, sealed } of kept) await set(sealed, selector);
    const message = await sink.waitFor(({ envelope }) => envelope.to.includes('waits@to.test'));
    expect(await verdicts(message)).toEqual(['broken.test pass']);
    await untilShown(host, id, 'sent');
    await until(async () => (await faults()).length === 0);
  });
});

describe(`tls of a domain, queue on ${queueKind()}`, () => {
  it('fails its emails permanently where the next hop has none, and no others', async () => {
    const domain = await verified('secret.test', { tls: 'enforced' });
    const id = await post(host, 'secret@to.test', { from: 'a@secret.test' });
    await untilShown(host, id, 'bounced');
    const { body } = await host.request<{ data: { type: string; reason_code: string }[] }>(
      'GET',
      `/emails/${id}/events`,
    );
    expect(body.data.find(({ type }) => type === 'bounced')).toMatchObject({ reason_code: 'tls_missing' });
    expect(sink.messages).toEqual([]);
    await sent('a@shop.test', 'clear@to.test');
    await host.request('PATCH', `/domains/${domain.id}`, { body: { tls: 'opportunistic' } });
    await until(async () => {
      const next = await post(host, 'secret@to.test', { from: 'a@secret.test' });
      return (await untilShown(host, next, 'sent').catch(() => undefined)) !== undefined;
    });
    expect(await eventTypes(host, id)).not.toContain('sent');
  });
});
