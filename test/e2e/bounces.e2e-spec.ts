import { once } from 'node:events';
import { connect } from 'node:net';
import type { EmailEventDto, ListEnvelope } from 'nestjs-emails';
import { createTransport } from 'nodemailer';
import { freePort } from '../support/basics/free-port.mjs';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { eventTypes, listed, post, untilShown } from '../support/reading/deliveries.js';
import { headerLines } from '../support/reading/mime.js';
import { deliveryReport } from '../support/requests/delivery-report.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** User and password of the relay's hook. */
const AUTH = 'relay:a-long-password';

let sink: SmtpSink;
let host: RunningHost;
let port: number;
/** Two recipients of each test: one that bounces gets no more mail. */
let [b, c] = ['', ''];
let tests = 0;

beforeAll(async () => {
  [sink, port] = await Promise.all([SmtpSink.start(), freePort()]);
  host = await startHost({
    smtp: sink,
    env: { BOUNCE_DOMAIN: 'bounces.test', BOUNCE_SMTP_PORT: String(port), HOOK_POSTMARK_AUTH: AUTH },
  });
});

beforeEach(() => {
  sink.reset();
  tests += 1;
  [b, c] = [`b${tests}@to.test`, `c${tests}@to.test`];
});

const send = (to: string, raw: string, from = '') =>
  createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({ envelope: { from, to }, raw });

/** Holds all emails for nine seconds, longer than a report waits. */
const LOCK_DELIVERIES = 'BEGIN; SELECT FROM nestjs_emails.deliveries FOR UPDATE; SELECT pg_sleep(9); COMMIT';

async function isLocked(): Promise<boolean> {
  const found = await host.query(
    "SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(9)%' AND pid <> pg_backend_pid()",
  );
  return found.length > 0;
}

/** Writes a whole message; resolves when it is on the wire, with the text that comes after it until the end. */
async function handOver(to: string, raw: string): Promise<{ heard: Promise<string> }> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  for (const line of ['HELO mx.test', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA']) {
    await once(socket, 'data');
    socket.write(`${line}\r\n`);
  }
  await once(socket, 'data');
  let text = '';
  socket.on('data', (piece) => (text += piece));
  const heard = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await new Promise<void>((resolve) => socket.write(`${raw}.\r\n`, () => resolve()));
  return { heard };
}

/** Sends an email; resolves with its id and return path when it is shown as sent. */
async function sent(to: string | string[] = b): Promise<{ id: string; returnPath: string }> {
  const id = await post(host, to);
  await untilShown(host, id, 'sent');
  const message = sink.messages.find(({ raw }) => raw.toString('latin1').includes(id));
  return { id, returnPath: message?.envelope.from ?? '' };
}

const eventsShown = async (id: string) =>
  (await host.request<ListEnvelope<EmailEventDto>>('GET', `/emails/${id}/events`)).body.data;

describe(`reports by mail, queue on ${queueKind()}`, () => {
  it('come to the return path of each message, which carries a reference', async () => {
    const { returnPath } = await sent();
    expect(returnPath).toMatch(/^b\+[a-z2-7]{47}@bounces\.test$/);
    const [message] = sink.messages;
    const fields = headerLines(message?.raw ?? Buffer.of());
    expect(fields).toContainEqual(expect.stringContaining(`X-Email-Ref: ${returnPath.slice(2, 49)}`));
  });

  it('move a sent email to bounced, once', async () => {
    const { id, returnPath } = await sent();
    for (let time = 0; time < 2; time++) await send(returnPath.toUpperCase(), deliveryReport([b]));
    expect((await listed(host, id)).last_event).toBe('bounced');
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'bounced']);
    expect((await eventsShown(id))[0]).toMatchObject({
      type: 'bounced',
      recipient: b,
      source: 'dsn',
      reason: '550 5.1.1 unknown',
      bounce: { type: 'Permanent', subType: 'General' },
    });
  });

  it('come out of order, and never move back', async () => {
    const { id, returnPath } = await sent();
    await send(returnPath, deliveryReport([b], { action: 'delayed', status: '4.4.1', reply: '451 4.4.1 later' }));
    await send(returnPath, deliveryReport([b]));
    await send(returnPath, deliveryReport([b], { action: 'delivered', status: '2.0.0', reply: '250 2.0.0 ok' }));
    await send(returnPath, deliveryReport([b], { action: 'delayed', status: '4.4.1', reply: '451 4.4.1 later' }));
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'delivery_delayed', 'bounced']);
  });

  it('say nothing about an operator whose words they use, but for its own mailboxes', async () => {
    const reply = '550 5.1.1 The email account that you tried to reach does not exist. - gsmtp';
    const own = `b${tests}@gmail.com`;
    for (const address of [b, own]) {
      const { returnPath } = await sent(address);
      await send(returnPath, deliveryReport([address], { reply }));
      await until(async () => (await host.request('GET', `/suppressions/${address}`)).status === 200);
    }
    expect(
      await host.query(
        "SELECT sum(refusals)::integer AS refusals FROM nestjs_emails.operator_counts WHERE operator = 'gmail'",
      ),
    ).toEqual([{ refusals: 1 }]);
  });

  it('count for the recipient of the token, whatever address they name', async () => {
    const { id, returnPath } = await sent();
    await send(returnPath, deliveryReport(['somebody@else.test']));
    expect(await eventTypes(host, id, b)).toEqual(['sent', 'bounced']);
  });

  it('mark one of several recipients, without confirmation', async () => {
    const { id, returnPath } = await sent([b, c]);
    await send(returnPath, deliveryReport([c.toUpperCase()]));
    const [bounced] = await eventsShown(id);
    expect(bounced).toMatchObject({ type: 'bounced', recipient: c, reason_code: 'unconfirmed_bounce' });
    expect(await eventTypes(host, id, b)).toEqual(['sent']);
  });

  it('do not hide a confirmed one that follows, which suppresses, once', async () => {
    const { id, returnPath } = await sent([b, c]);
    const body = { RecordType: 'Bounce', Type: 'HardBounce', Email: c, Metadata: { email_id: id } };
    const authorization = `Basic ${Buffer.from(AUTH).toString('base64')}`;
    for (let time = 0; time < 2; time++) {
      await send(returnPath, deliveryReport([c]));
      const { status } = await host.request('POST', '/hooks/postmark', {
        body,
        headers: { authorization },
        token: null,
      });
      expect(status).toBe(200);
    }
    expect(await eventTypes(host, id, c)).toEqual(['sent', 'bounced', 'bounced']);
    expect((await eventsShown(id))[0]).toMatchObject({ recipient: c, source: 'relay', reason_code: 'address_unknown' });
    const entry = () => host.request<{ source_id: string }>('GET', `/suppressions/${c}`);
    await until(async () => (await entry()).status === 200);
    expect((await entry()).body.source_id).toBe(id);
    expect((await listed(host, id)).last_event).toBe('bounced');
  });

  it('that any recipient could have written do not end the attempts at another', async () => {
    sink.onRcpt = (address) => (address === c ? '450 4.2.0 Later' : undefined);
    const id = await post(host, [b, c]);
    await until(async () => (await eventTypes(host, id, c)).includes('delivery_delayed'));
    await untilShown(host, id, 'delivery_delayed');
    await send(sink.messages[0]?.envelope.from ?? '', deliveryReport([c]));
    expect(await eventTypes(host, id, c)).toEqual(['delivery_delayed']);
    sink.reset();
    await host.request('POST', `/emails/${id}/retry`);
    await untilShown(host, id, 'sent');
  });

  it('are kept without a recipient when they name none of several, once', async () => {
    const { id, returnPath } = await sent([b, c]);
    for (const name of ['x', 'y', 'z']) await send(returnPath, deliveryReport([`${name}@else.test`]));
    const [bounced, ...others] = await eventsShown(id);
    expect(bounced).toMatchObject({
      type: 'bounced',
      recipient: null,
      reason_code: 'no_address_in_report',
      bounce: { type: 'Permanent', subType: 'NoEmail' },
    });
    expect(others.filter(({ type }) => type === 'bounced')).toEqual([]);
    expect((await listed(host, id)).last_event).toBe('sent');
  });

  it('about 10,000 recipients mark only those of the email', async () => {
    const { id, returnPath } = await sent([b, c]);
    await send(
      returnPath,
      deliveryReport([b, ...Array.from({ length: 9_999 }, (_, at) => `r${at}@e.test`)], { reply: '550' }),
    );
    expect(await eventTypes(host, id, b)).toEqual(['sent', 'bounced']);
    expect(await eventTypes(host, id, c)).toEqual(['sent']);
  });

  it('with a forged token, or to another address, are refused', async () => {
    const { returnPath } = await sent();
    const forged = returnPath.replace(/(.)@/, (_, last) => (last === 'a' ? 'b@' : 'a@'));
    for (const to of [forged, 'postmaster@bounces.test', forged.replace('bounces', 'other')]) {
      await expect(send(to, deliveryReport([b]))).rejects.toMatchObject({ responseCode: 550 });
    }
  });

  it('of other kinds change nothing', async () => {
    const { id, returnPath } = await sent();
    await send(returnPath, 'Subject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n');
    await send(returnPath, `\0\xff\r\n${'x'.repeat(500_000)}\r\n`);
    await send(returnPath, 'Feedback-Type: abuse\r\n\r\n');
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent']);
  });

  it('still count when events and attempts were deleted', async () => {
    const { id, returnPath } = await sent();
    await host.query('DELETE FROM nestjs_emails.events WHERE email_id = $1', [id]);
    await host.query('DELETE FROM nestjs_emails.attempts WHERE email_id = $1', [id]);
    await host.query('UPDATE nestjs_emails.emails SET html = NULL, text = NULL WHERE id = $1', [id]);
    await send(returnPath, deliveryReport([b]));
    expect(await eventTypes(host, id)).toEqual(['bounced']);
  });

  it('are answered 451 while the email is locked, and recorded later', async () => {
    const { id, returnPath } = await sent();
    const locked = host.query(LOCK_DELIVERIES);
    await until(isLocked);
    await expect(send(returnPath, deliveryReport([b]))).rejects.toMatchObject({ responseCode: 451 });
    await locked;
    await send(returnPath, deliveryReport([b]));
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'bounced']);
  });

  it('get no 250 from a worker that dies before the commit, and are recorded once when they come again', async () => {
    const { id, returnPath } = await sent();
    const locked = host.query(LOCK_DELIVERIES);
    await until(isLocked);
    const answers = await handOver(returnPath, deliveryReport([b]));
    await host.kill();
    expect(await answers.heard).not.toMatch(/^250/m);
    await locked;
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent']);
    await host.start();
    for (let time = 0; time < 2; time++) await send(returnPath, deliveryReport([b]));
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'bounced']);
  });
});
