import { PATIENCE } from '../support/basics/patience.mjs';
import { until } from '../support/basics/wait-for.js';
import { DnsServer } from '../support/dns/dns-server.js';
import { publishRecords, type ShownRecord } from '../support/dns/publish-records.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { ALLOWED_BY_RSPAMD, ALLOWED_BY_SPAMASSASSIN, objections } from '../support/judges/allowed-rules.js';
import { FORGERIES, forged } from '../support/judges/forgeries.js';
import { type JudgedMessage, SENDING_SERVER } from '../support/judges/judged-message.js';
import { askMailauth } from '../support/judges/mailauth.js';
import { askOpenDkim } from '../support/judges/opendkim.js';
import { askPythonDkim } from '../support/judges/python-dkim.js';
import { type Rspamd, startRspamd } from '../support/judges/rspamd.js';
import { askSpamAssassin, type Points } from '../support/judges/spamassassin.js';
import { post } from '../support/reading/deliveries.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const DOMAIN = 'shop.test';
const FROM = `Shop <orders@${DOMAIN}>`;
/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const paragraph =
  'Thank you for your order. We packed it this morning and gave it to the carrier, who will bring it on Tuesday. ' +
  'You can change the address until tonight. If something is missing, answer this email and we will send it again. ' +
  'The lamp comes with a cable of two metres and a bulb that fits. Keep the box for some days, in case that you want ' +
  'to return it: we pay for the way back within thirty days, and refund the price to the card that you used.';
const html = (more = '') =>
  `<!DOCTYPE html><html lang="en"><head><title>Your order</title></head><body><h1>Your order</h1><p>${paragraph}</p>${more}</body></html>`;
const text = `Your order\n\n${paragraph}\n`;

/** Emails by the name of their shape. */
const SHAPES: Readonly<Record<string, Record<string, unknown>>> = {
  plain: { subject: 'Your order has left', text },
  html: { subject: 'Your order has left', html: html(), text },
  attachments: {
    subject: 'Your invoice for March',
    html: html(),
    text,
    attachments: [
      { filename: 'invoice.txt', content: Buffer.from('1 lamp, 20 euros\n'.repeat(200)).toString('base64') },
      { filename: 'terms.csv', content: Buffer.from('term,value\nreturn,30 days\n').toString('base64') },
    ],
  },
  'inline image': {
    subject: 'Your order has left',
    // An image with little text counts as a text in an image.
    html: html(`${`<p>${paragraph}</p>`.repeat(6)}<p><img src="cid:logo" alt="Our logo" width="1" height="1"></p>`),
    text: `${text}${`\n${paragraph}\n`.repeat(6)}\nOur logo\n`,
    attachments: [{ filename: 'logo.png', content: PIXEL, content_id: 'logo' }],
  },
  'non-Latin': {
    subject: 'ご注文の商品を発送しました',
    html: '<!DOCTYPE html><html lang="ja"><body><p>ご注文ありがとうございます。商品は火曜日に届きます。</p></body></html>',
    text: 'ご注文ありがとうございます。商品は火曜日に届きます。\n',
  },
  'with unsubscribe': { subject: 'News of this week', html: html(), text },
};
const NAMES = Object.keys(SHAPES);

interface Domain {
  id: string;
  status: string;
  records: ShownRecord[];
  recommended?: ShownRecord[];
}

let dns: DnsServer;
let sink: SmtpSink;
let host: RunningHost;
let rspamd: Rspamd;
let domain: Domain;
let messages: JudgedMessage[];
/** Each forgery of each of them. */
let forgeries: JudgedMessage[];

async function verified(): Promise<Domain> {
  const body = { name: DOMAIN, dkim: ['rsa', 'ed25519'] };
  const { status, text: answer, body: created } = await host.request<Domain>('POST', '/domains', { body });
  if (status !== 201) throw new Error(`POST /domains answers ${status}: ${answer}`);
  const { body: shown } = await host.request<Domain>('GET', `/domains/${created.id}`);
  publishRecords(dns.zone, DOMAIN, [...shown.records, ...(shown.recommended ?? [])]);
  await host.request('POST', `/domains/${created.id}/verify`);
  return until(
    async () => {
      const { body: now } = await host.request<Domain>('GET', `/domains/${created.id}`);
      return now.status === 'verified' && now;
    },
    { timeout: PATIENCE, what: 'a verified domain' },
  );
}

async function sent(): Promise<JudgedMessage[]> {
  const topic = await host.request<{ id: string }>('POST', '/topics', {
    body: { name: 'News', default_subscription: 'opt_in' },
  });
  for (const [index, name] of NAMES.entries()) {
    const topicId = name === 'with unsubscribe' ? { topic_id: topic.body.id } : {};
    await post(host, `to${index}@to.test`, { from: FROM, ...SHAPES[name], ...topicId });
  }
  await sink.waitFor(NAMES.length);
  return NAMES.map((name, index) => {
    const { envelope, raw } = sink.messages.find(({ envelope: { to } }) => to[0] === `to${index}@to.test`)!;
    return { name, raw, from: envelope.from, to: envelope.to[0]! };
  });
}

beforeAll(async () => {
  const { name, address } = SENDING_SERVER;
  dns = await DnsServer.start({
    // The domain's own web server and mailboxes, which were there before.
    [DOMAIN]: { A: [address], MX: [{ exchange: `mailboxes.${DOMAIN}`, priority: 10 }] },
    [`mailboxes.${DOMAIN}`]: { A: [address] },
    [name]: { A: [address] },
    'mx.relay.test': { A: [address] },
    [`${address.split('.').reverse().join('.')}.in-addr.arpa`]: { PTR: [name] },
  });
  // It compiles its rules for a quarter of a minute.
  const starting = startRspamd(dns);
  sink = await SmtpSink.start();
  host = await startHost({
    smtp: sink,
    env: {
      DNS_SERVERS: dns.address,
      PUBLIC_URL: `https://mail.${DOMAIN}`,
      BOUNCE_DOMAIN: 'bounces.relay.test',
      BOUNCE_HOST: 'mx.relay.test',
      SPF_MECHANISMS: `ip4:${address}`,
    },
  });
  domain = await verified();
  messages = await sent();
  forgeries = messages.flatMap(forged);
  rspamd = await starting;
});

const headerOf = ({ raw }: JudgedMessage) => raw.toString('latin1', 0, raw.indexOf('\r\n\r\n') + 2);
const selectors = () =>
  domain.records.filter(({ name }) => name.includes('._domainkey')).map(({ name }) => name.split('.')[0]!);

describe.each([
  ['mailauth', askMailauth],
  ['OpenDKIM', askOpenDkim],
  ['dkimpy', askPythonDkim],
])('%s', (_, ask) => {
  it('verifies both signatures of each message', async () => {
    const verdicts = await ask(messages, dns);
    const expected = selectors().map((selector) => ({ domain: DOMAIN, selector, isValid: true }));
    for (const name of NAMES) {
      expect([name, verdicts.get(name)]).toEqual([name, expect.arrayContaining(expected)]);
      expect(verdicts.get(name)).toHaveLength(2);
    }
  });

  it('refuses each forgery', async () => {
    const verdicts = await ask(forgeries, dns);
    for (const { name } of forgeries) {
      expect([name, verdicts.get(name)?.map(({ isValid }) => isValid)]).toEqual([name, [false, false]]);
    }
  });

  it('refuses a signature of another key of the domain', async () => {
    const [rsa, ed25519] = ['k=rsa', 'k=ed25519'].map(
      (kind) => domain.records.find(({ value }) => value.includes(kind))!,
    ) as [ShownRecord, ShownRecord];
    const zone = { ...dns.zone };
    publishRecords(zone, DOMAIN, []);
    zone[`${rsa.name}.${DOMAIN}`] = { TXT: [ed25519.value] };
    zone[`${ed25519.name}.${DOMAIN}`] = { TXT: [rsa.value] };
    const before = dns.zone;
    dns.zone = zone;
    try {
      const verdicts = await ask(messages.slice(0, 1), dns);
      expect(verdicts.get(NAMES[0]!)?.map(({ isValid }) => isValid)).toEqual([false, false]);
    } finally {
      dns.zone = before;
    }
  });
});

describe('SpamAssassin', () => {
  let points: ReadonlyMap<string, Points>;

  beforeAll(async () => {
    points = await askSpamAssassin([...messages, ...forgeries], dns);
  });

  it.each(NAMES)('adds no points without a known reason: %s', (name) => {
    expect(objections(name, points.get(name)!, ALLOWED_BY_SPAMASSASSIN)).toEqual([]);
  });

  it('finds a valid signature of the sender and of the return path, and the right server', () => {
    for (const name of NAMES) {
      expect([name, Object.keys(points.get(name)!)]).toEqual([
        name,
        expect.arrayContaining(['DKIM_SIGNED', 'DKIM_VALID', 'DKIM_VALID_AU', 'SPF_PASS']),
      ]);
    }
  });

  it('refuses each forgery', () => {
    for (const { name } of forgeries) {
      const rules = Object.keys(points.get(name)!);
      expect([name, rules.includes('DKIM_INVALID'), rules.includes('DKIM_VALID')]).toEqual([name, true, false]);
    }
  });
});

describe('rspamd', () => {
  it.each(NAMES)('adds no points without a known reason: %s', async (name) => {
    const points = await rspamd.ask(messages.find((message) => message.name === name)!);
    expect(objections(name, points, ALLOWED_BY_RSPAMD)).toEqual([]);
  });

  it('finds signature, server and policy in order', async () => {
    for (const message of messages) {
      const rules = Object.keys(await rspamd.ask(message));
      expect([message.name, rules]).toEqual([
        message.name,
        expect.arrayContaining(['R_DKIM_ALLOW', 'R_SPF_ALLOW', 'DMARC_POLICY_ALLOW']),
      ]);
    }
  });

  it('refuses each forgery', async () => {
    for (const message of forgeries) {
      const rules = Object.keys(await rspamd.ask(message));
      expect([message.name, rules.includes('R_DKIM_REJECT'), rules.includes('R_DKIM_ALLOW')]).toEqual([
        message.name,
        true,
        false,
      ]);
    }
  });
});

describe('the messages', () => {
  it('have one domain in From, signature, Message-ID and return path', () => {
    for (const message of messages) {
      const header = headerOf(message);
      expect(message.from).toMatch(/^[^@]+@send\.shop\.test$/);
      expect(header).toMatch(new RegExp(`^Message-ID: <[^@]+@${DOMAIN}>`, 'im'));
      expect(header.match(/^DKIM-Signature:/gim)).toHaveLength(2);
      expect(header.replace(/\r\n[ \t]+/g, '').match(/\bd=[^;]+/g)).toEqual([`d=${DOMAIN}`, `d=${DOMAIN}`]);
    }
  });

  it('offer one click to unsubscribe where there is a topic, and only there', () => {
    for (const message of messages) {
      const isOffered = /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/im.test(headerOf(message));
      expect([message.name, isOffered]).toEqual([message.name, message.name === 'with unsubscribe']);
    }
  });

  it('are forged in every way that is known', () => {
    expect(forgeries).toHaveLength(NAMES.length * Object.keys(FORGERIES).length);
    for (const { name, raw } of forgeries) {
      const original = messages.find((message) => message.name === name.split(': ')[0])!;
      expect(raw.equals(original.raw)).toBe(false);
    }
  });
});
