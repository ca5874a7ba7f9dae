import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventsOf, eventTypes, listed, post, untilShown } from '../support/reading/deliveries.js';
import { startPostgresProxy } from '../support/servers/postgres.js';
import type { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const AUTH = 'relay:a-long-password';
const MAILGUN_KEY = 'a-signing-key-of-mailgun';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const HTTPS = { 'x-forwarded-proto': 'https' };

/** A documented payload of a relay: the part of its file after the first blank line. */
function payload(name: string): string {
  const text = readFileSync(new URL(`../feedback/relays/${name}.txt`, import.meta.url), 'utf8');
  return text.slice(text.indexOf('\n\n') + 2);
}

const now = () => Math.floor(Date.now() / 1_000);
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

function sendgrid(body: string, at = now(), key = privateKey) {
  const signature = sign('sha256', Buffer.from(`${at}${body}`), key).toString('base64');
  return {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': String(at),
  };
}

/** A request of Mailgun with these bytes of an event. */
function mailgun(event: string, at = now(), key = MAILGUN_KEY, token = randomBytes(25).toString('hex')): string {
  const timestamp = String(at);
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  return `{"signature": ${JSON.stringify({ token, timestamp, signature })}, "event-data": ${event}}`;
}

/** Reports of relays over HTTP: contract-next.md D3. */
describe('the hooks of relays', () => {
  let sink: SmtpSink;
  let proxy: TcpProxy;
  let host: RunningHost;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    proxy = await startPostgresProxy();
    host = await startHost({
      smtp: sink,
      postgresProxy: proxy,
      env: {
        HOOK_POSTMARK_AUTH: AUTH,
        HOOK_MAILGUN_KEY: MAILGUN_KEY,
        HOOK_SENDGRID_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      },
    });
  });

  const send = (provider: string, body: string | Buffer, headers: Record<string, string> = {}, to = host) =>
    to.request('POST', `/hooks/${provider}`, { body, headers, token: null });
  const rows = async () =>
    (
      await host.query<{ n: number }>(
        'SELECT (SELECT count(*) FROM nestjs_emails.events)::int + (SELECT count(*) FROM nestjs_emails.hook_tokens)::int AS n',
      )
    )[0]?.n;
  /** The reasons of an email's bounces: one about the address suppresses it. */
  const codesOf = async (id: string) =>
    (
      await host.query<{ code: string }>(
        "SELECT reason_code AS code FROM nestjs_emails.events WHERE email_id = $1 AND type = 'bounced'",
        [id],
      )
    ).map(({ code }) => code);
  /** An email that the relay has accepted. */
  const sent = async (to: string) => {
    const id = await post(host, to);
    return untilShown(host, id, 'sent');
  };

  it("turns SendGrid's documented bounce into one, also when it comes twice", async () => {
    const { id, message_id } = await sent('sendgrid@to.test');
    const body = payload('sendgrid-bounce')
      .replace('example@test.com', 'sendgrid@to.test')
      .replace('<14c5d75ce93.dfd.64b469@ismtpd-555>', message_id);
    for (let time = 0; time < 2; time++) expect((await send('sendgrid', body, sendgrid(body))).status).toBe(200);
    await untilShown(host, id, 'bounced');
    expect(await eventTypes(host, id, 'sendgrid@to.test')).toEqual(['queued', 'sent', 'bounced'].slice(-2));
    expect((await eventsOf(host, id)).at(-1)).toEqual({
      type: 'bounced',
      recipient: 'sendgrid@to.test',
      reason: '500 5.0.0 unknown recipient',
    });
    expect(await codesOf(id)).toEqual(['address_unknown']);
  });

  it("turns Postmark's documented hard bounce into one", async () => {
    const { id } = await sent('postmark-bounce@to.test');
    const body = payload('postmark-bounce')
      .replace('john@example.com', 'postmark-bounce@to.test')
      .replace('"a_key": "a_value"', `"email_id": "${id}"`);
    expect((await send('postmark', body, basic(AUTH))).status).toBe(200);
    await untilShown(host, id, 'bounced');
    expect(await codesOf(id)).toEqual(['address_unknown']);
  });

  it("turns Postmark's documented complaint into one, by our id in its metadata", async () => {
    const { id } = await sent('postmark@to.test');
    const body = payload('postmark-spam-complaint')
      .replace('john@example.com', 'postmark@to.test')
      .replace('"a_key": "a_value"', `"email_id": "${id}"`);
    expect((await send('postmark', body, basic(AUTH))).status).toBe(200);
    await untilShown(host, id, 'complained');
  });

  it("turns Mailgun's documented failure into a bounce", async () => {
    const { id, message_id } = await sent('mailgun@to.test');
    const event = payload('mailgun-failed-permanent')
      .replaceAll('badrecipient@sample.mailgun.com', 'mailgun@to.test')
      .replace('20260212174255.58bbb7ce85a423e5@mailgun.com', message_id.slice(1, -1));
    expect((await send('mailgun', mailgun(event), HTTPS)).status).toBe(200);
    await untilShown(host, id, 'bounced');
    expect(await codesOf(id)).toEqual(['address_unknown']);
  });

  it('finds an email by the id in the 250 of its relay', async () => {
    sink.onMessage = () => '250 Ok: queued as 14c5d75ce93.dfd.64b470';
    const { id } = await sent('by-relay-id@to.test');
    sink.reset();
    const body = JSON.stringify([
      { event: 'delivered', email: 'by-relay-id@to.test', sg_message_id: '14c5d75ce93.dfd.64b470.filter0001.1.1.0' },
    ]);
    await eventually(async () => {
      expect((await send('sendgrid', body, sendgrid(body))).status).toBe(200);
      expect((await listed(host, id)).last_event).toBe('delivered');
    });
  });

  it('asks for a new report again that comes before its email is known, and not for an old one', async () => {
    const events = (timestamp: number) =>
      JSON.stringify([
        {
          event: 'delivered',
          email: 'early@to.test',
          sg_message_id: '14c5d75ce93.dfd.64b471.filter0001.1.1.0',
          timestamp,
        },
      ]);
    const [body, old] = [events(now()), events(now() - 60)];
    const early = await send('sendgrid', body, sendgrid(body));
    expect([early.status, early.headers['retry-after']]).toEqual([503, '20']);
    expect((await send('sendgrid', old, sendgrid(old))).status).toBe(200);
    sink.onMessage = () => '250 Ok: queued as 14c5d75ce93.dfd.64b471';
    const { id } = await sent('early@to.test');
    sink.reset();
    await eventually(async () => expect((await send('sendgrid', body, sendgrid(body))).status).toBe(200));
    expect((await listed(host, id)).last_event).toBe('delivered');
  });

  it('records a batch about several emails, with unknown ones among them', async () => {
    const [one, two] = [await sent('one@to.test'), await sent('two@to.test')];
    const unknown = Array.from({ length: 2_000 }, (_, at) => ({
      event: 'bounce',
      email: `${at}@to.test`,
      'smtp-id': `<${at}@x>`,
    }));
    const body = JSON.stringify([
      { event: 'delivered', email: 'one@to.test', email_id: one.id },
      ...unknown,
      { event: 'spamreport', email: 'one@to.test', email_id: one.id },
      { event: 'deferred', email: 'two@to.test', email_id: two.id, response: '421 later' },
      { event: 'delivered', email: 'two@to.test', email_id: two.id },
    ]);
    expect((await send('sendgrid', body, sendgrid(body))).status).toBe(200);
    expect((await listed(host, one.id)).last_event).toBe('complained');
    expect((await listed(host, two.id)).last_event).toBe('delivered');
  });

  it('answers 401 to wrong, old and used proofs, and writes nothing', async () => {
    const { id } = await sent('proof@to.test');
    const events = JSON.stringify([{ event: 'spamreport', email: 'proof@to.test', email_id: id }]);
    const event = JSON.stringify({
      event: 'complained',
      recipient: 'proof@to.test',
      'user-variables': { email_id: id },
    });
    const complaint = JSON.stringify({
      RecordType: 'SpamComplaint',
      Email: 'proof@to.test',
      Metadata: { email_id: id },
    });
    const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
    const opened = mailgun('{"event": "delivered", "recipient": "nobody@to.test"}');
    expect((await send('mailgun', opened, HTTPS)).status).toBe(200);
    const before = await rows();

    const refused = [
      await send('sendgrid', events),
      await send('sendgrid', events, sendgrid(`${events} `)),
      await send('sendgrid', events, sendgrid(events, now(), other)),
      await send('sendgrid', events, sendgrid(events, now() - 16 * 60)),
      await send('mailgun', mailgun(event)),
      await send('mailgun', mailgun(event, now(), 'another'), HTTPS),
      await send('mailgun', mailgun(event, now() - 10 * 3_600), HTTPS),
      await send('mailgun', opened, HTTPS),
      await send('mailgun', `${opened.split('"event-data"')[0]}"event-data": ${event}}`, HTTPS),
      await send('postmark', complaint),
      await send('postmark', complaint, basic('relay:another-password')),
      await send('postmark', complaint, { authorization: `Bearer ${host.token}` }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
    expect(await rows()).toBe(before);
    expect((await listed(host, id)).last_event).toBe('sent');
  });

  it('accepts a token of Mailgun once among all processes, and again after a failure before the commit', async () => {
    const another = await startHost({ smtp: sink, beside: host, role: 'api', env: { HOOK_MAILGUN_KEY: MAILGUN_KEY } });
    const { id } = await sent('token@to.test');
    const body = mailgun(
      JSON.stringify({ event: 'delivered', recipient: 'token@to.test', 'user-variables': { email_id: id } }),
    );
    await proxy.refuse();
    expect((await send('mailgun', body, HTTPS)).status).toBe(503);
    await proxy.restore();
    await eventually(async () => expect((await send('mailgun', body, HTTPS)).status).toBe(200));
    expect((await listed(host, id)).last_event).toBe('delivered');
    expect((await send('mailgun', body, HTTPS, another)).status).toBe(401);
  });

  it('answers 503 while the database is away', async () => {
    const body = payload('sendgrid-bounce');
    await proxy.refuse();
    expect((await send('sendgrid', body, sendgrid(body))).status).toBe(503);
    await proxy.restore();
    await eventually(async () => expect((await send('sendgrid', body, sendgrid(body))).status).toBe(200));
  });

  it('answers 404 for a relay that is not configured, and for an unknown one', async () => {
    for (const name of ['ses', 'unknown', '%00']) expect((await send(name, '{}')).status).toBe(404);
  });

  it('answers 413 above 1 MB, and reads hostile bodies up to it', async () => {
    expect((await send('postmark', Buffer.alloc(1_000_001, ' '), basic(AUTH))).status).toBe(413);
    const nested = `${'['.repeat(499_999)}${']'.repeat(499_999)}`;
    expect((await send('sendgrid', nested, sendgrid(nested))).status).toBe(200);
    for (const body of ['{"__proto__": {"RecordType": "Bounce"}}', '{"RecordType": {"a": 1}}', '{"Metadata": []}']) {
      expect((await send('postmark', body, basic(AUTH))).status).toBe(200);
    }
    const odd =
      '[{"event":"bounce","email":"\\u0000\\ud800","smtp-id":"\\u0000","email_id":"\\u0000","reason":"\\u0000"}]';
    expect((await send('sendgrid', odd, sendgrid(odd))).status).toBe(200);
    expect((await send('postmark', '\xff', basic(AUTH))).status).toBe(400);
  });

  it('logs neither addresses nor secrets', () => {
    for (const hidden of ['@to.test', AUTH, MAILGUN_KEY]) expect(host.output).not.toContain(hidden);
  });
});
