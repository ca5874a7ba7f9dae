import { createTransport } from 'nodemailer';
import { freePort } from '../support/basics/free-port.mjs';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { eventsOf, eventTypes, listed, post, untilSettled, untilShown } from '../support/reading/deliveries.js';
import { parseMime } from '../support/reading/mime.js';
import { withoutReference } from '../support/reading/without-reference.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import { deliveryReport } from '../support/requests/delivery-report.js';
import { expectRefusal, invalid } from '../support/rules/refusals.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const QA = 'qa@staging.test';
const AUTH = 'relay:a-long-password';

let sink: SmtpSink;

beforeAll(async () => {
  sink = await SmtpSink.start();
});

beforeEach(() => sink.reset());

const envelopes = () => sink.messages.map(({ envelope }) => envelope.to);
const copies = () => envelopes().flat().sort();

/** A sent message as `/source` gives it, without the fields by which reports find their email. */
const shownOf = ({ raw }: SinkMessage) =>
  withoutReference(raw)
    .toString()
    .replace(/^X-PM-Metadata-email_id: .*\r\n/, '');

/** Fields of a message by their names in lower case, decoded. */
async function fieldsOf({ raw }: Pick<SinkMessage, 'raw'>): Promise<Record<string, string>> {
  const { headers } = await parseMime(raw);
  return Object.fromEntries(headers.map(({ key, value }) => [key, value]));
}

const linesOf = ({ output }: RunningHost) =>
  output.split('\n').filter((line) => line.includes('The staging switch is on'));

async function sourceOf(host: RunningHost, id: string, query = ''): Promise<string> {
  const answer = await fetch(`${host.url}/emails/${id}/source${query}`, {
    headers: { authorization: `Bearer ${host.token}` },
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

describe('onlyTo', () => {
  let host: RunningHost;
  let api: RunningHost;

  beforeAll(async () => {
    const env = { SMTP_HOP: 'final', ONLY_TO: 'allowed.test, Me@Else.test, bücher.test' };
    host = await startHost({ smtp: sink, env });
    api = await startHost({ beside: host, smtp: sink, env: { ...env, ROLE: 'api' } });
  });

  it('a recipient outside gets no mail, and nobody sees it', async () => {
    const to = ['a@allowed.test', 'ME@else.test', 'b@bücher.test', 'you@else.test', 'c@sub.allowed.test'];
    const id = await post(host, to, { cc: 'd@allowed.test', bcc: 'e@allowed.test.evil.test' });
    await untilShown(host, id, 'delivered');
    expect(copies()).toEqual(['ME@else.test', 'a@allowed.test', 'b@xn--bcher-kva.test', 'd@allowed.test']);
    const refused = ['you@else.test', 'c@sub.allowed.test', 'e@allowed.test.evil.test'];
    const events = await eventsOf(host, id);
    expect(events.filter(({ type }) => type === 'failed')).toEqual(
      refused.map((recipient) => ({ type: 'failed', recipient, reason: 'not_allowed_here' })),
    );
    for (const { raw } of sink.messages) for (const address of refused) expect(String(raw)).not.toContain(address);
  });

  it('an email to others alone fails, for every kind of recipient', async () => {
    const id = await post(host, 'a@real.test', { cc: 'b@real.test', bcc: 'c@real.test' });
    await untilShown(host, id, 'failed');
    const { body } = await host.request<{ data: object[] }>('GET', `/emails/${id}/events`);
    expect(body.data.slice(0, 3)).toMatchObject(
      Array(3).fill({ type: 'failed', reason_code: 'not_allowed_here', source: 'policy' }),
    );
    expect(sink.offered).toEqual([]);
  });

  it('is said by each process: in its log, its health and its page', async () => {
    for (const process of [host, api]) {
      expect(linesOf(process)).toHaveLength(1);
      expect(linesOf(process)[0]).toContain('Only allowed.test, Me@Else.test, bücher.test may get mail');
      expect((await process.request('GET', '/health/ready')).body).toMatchObject({
        status: 'ok',
        staging: ['only_to'],
      });
      const client = await DashboardClient.signedIn(process);
      const staging = { only_to: ['allowed.test', 'Me@Else.test', 'bücher.test'], redirect_all_to: null };
      expect((await client.ask('GET', '/status')).body).toEqual({ degraded: null, staging, paused: null });
      expect((await client.ask('GET', '/session')).body).toMatchObject({ staging, features: { status: true } });
    }
    expect((await new DashboardClient(api).ask('GET', '/session')).body).toMatchObject({ staging: null });
  });
});

describe('redirectAllTo', () => {
  let host: RunningHost;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    host = await startHost({
      smtp: sink,
      env: {
        SMTP_HOP: 'relay',
        REDIRECT_ALL_TO: 'QA@staging.test',
        ONLY_TO: 'to.test',
        BOUNCE_DOMAIN: 'bounces.test',
        BOUNCE_SMTP_PORT: String(port),
        HOOK_POSTMARK_AUTH: AUTH,
      },
    });
  });

  const report = (to: string, raw: string) =>
    createTransport({ host: '127.0.0.1', port, ignoreTLS: true }).sendMail({ envelope: { from: '', to }, raw });

  /** The suppression list, after every event so far was handed over to it. */
  async function suppressed(): Promise<string[]> {
    await until(async () => {
      const waiting = await host.query("SELECT FROM nestjs_emails.event_outbox WHERE subscriber = 'suppressions'");
      return waiting.length === 0;
    });
    const { body } = await host.request<{ data: { email: string }[] }>('GET', '/suppressions');
    return body.data.map(({ email }) => email);
  }

  it('a message goes once to that mailbox, and names its recipients', async () => {
    const id = await post(host, ['Ada <ada@to.test>', 'bo@to.test'], {
      cc: 'cy@to.test',
      bcc: ['d@to.test', 'e@to.test', 'outside@real.test'],
    });
    await untilShown(host, id, 'sent');
    expect(envelopes()).toEqual([['QA@staging.test']]);
    const [message] = sink.messages as [SinkMessage];
    expect(await fieldsOf(message)).toMatchObject({
      to: 'Ada <ada@to.test>, bo@to.test',
      'x-original-to': 'ada@to.test, bo@to.test, cy@to.test',
      'x-original-bcc': '2 others',
    });
    for (const hidden of ['d@to.test', 'e@to.test', 'outside@']) expect(String(message.raw)).not.toContain(hidden);
    for (const to of ['ada@to.test', 'bo@to.test', 'cy@to.test', 'd@to.test', 'e@to.test'])
      expect(await eventTypes(host, id, to)).toEqual(['sent']);
    expect(await eventTypes(host, id, 'outside@real.test')).toEqual(['failed']);
    expect(await sourceOf(host, id)).toEqual(shownOf(message));
  });

  it('the suppression list decides about the real recipients', async () => {
    await host.request('POST', '/suppressions', { body: { email: 'never@to.test' } });
    const id = await post(host, ['never@to.test', 'z@to.test']);
    await untilShown(host, id, 'sent');
    expect(await eventTypes(host, id, 'never@to.test')).toEqual(['suppressed']);
    expect(await fieldsOf(sink.messages[0] as SinkMessage)).toMatchObject({ 'x-original-to': 'z@to.test' });
    await host.request('DELETE', '/suppressions/never@to.test');
  });

  it('a refusal by the mailbox fails the email, and suppresses nobody', async () => {
    sink.onRcpt = () => '550 5.1.1 No such user';
    const id = await post(host, ['f@to.test', 'g@to.test']);
    await untilShown(host, id, 'failed');
    const reason = 'The mailbox that mail is redirected to did not accept it. 550 5.1.1 No such user';
    expect((await eventsOf(host, id)).slice(1)).toEqual(
      ['f@to.test', 'g@to.test'].map((recipient) => ({ type: 'failed', recipient, reason })),
    );
    expect(await suppressed()).toEqual([]);
  });

  it('nor do bounces and complaints that come later', async () => {
    const id = await post(host, 'h@to.test');
    await untilShown(host, id, 'sent');
    const { envelope } = sink.messages[0] as SinkMessage;
    expect(envelope.from).toMatch(/^b\+[a-z2-7]{47}@bounces\.test$/);
    const spam = {
      RecordType: 'SpamComplaint',
      Email: QA,
      Metadata: { email_id: id },
      BouncedAt: new Date().toISOString(),
    };
    const headers = { authorization: `Basic ${Buffer.from(AUTH).toString('base64')}` };
    expect(await host.request('POST', '/hooks/postmark', { token: null, headers, body: spam })).toMatchObject({
      status: 200,
    });
    expect((await listed(host, id)).last_event).toBe('sent');
    await report(envelope.from, deliveryReport([QA]));
    await untilShown(host, id, 'failed');
    const { body } = await host.request<{ data: object[] }>('GET', `/emails/${id}/events`);
    expect(body.data[0]).toMatchObject({
      type: 'failed',
      recipient: 'h@to.test',
      reason_code: 'redirect_failed',
      source: 'dsn',
    });
    expect(await suppressed()).toEqual([]);
  });

  it.each(['X-Original-To', 'x-original-bcc'])('callers cannot set %s', async (name) => {
    const email = {
      from: 'a@from.test',
      to: 'b@to.test',
      subject: 'x',
      text: 'x',
      headers: { [name]: 'forged@to.test' },
    };
    const message = `headers\` must not set \`${name}\`: the system owns it.`;
    expectRefusal(await host.request('POST', '/emails', { body: email }), invalid(message));
    expectRefusal(await host.request('POST', '/emails/batch', { body: [email] }), invalid(message));
  });

  it('the switch is said with both options', async () => {
    expect(linesOf(host)).toHaveLength(1);
    expect(linesOf(host)[0]).toContain('All mail goes to QA@staging.test in place of its recipients.');
    expect((await host.request('GET', '/health/ready')).body).toMatchObject({
      staging: ['only_to', 'redirect_all_to'],
    });
  });

  it('a message that was redirected stays one when the switch is off, in its source and for reports', async () => {
    const before = await post(host, 'i@to.test');
    await untilShown(host, before, 'sent');
    const [redirected] = sink.messages as [SinkMessage];
    await host.stop();
    Object.assign(host.env, { REDIRECT_ALL_TO: undefined, ONLY_TO: undefined });
    await host.start();
    const after = await post(host, 'i@to.test');
    await untilShown(host, after, 'sent');
    expect(copies()).toEqual(['QA@staging.test', 'i@to.test']);
    expect(await sourceOf(host, before)).toEqual(shownOf(redirected));
    expect(await sourceOf(host, after)).not.toContain('X-Original');
    await report(redirected.envelope.from, deliveryReport(['i@to.test']));
    await untilShown(host, before, 'failed');
    expect((await host.request('GET', '/health/ready')).body).not.toHaveProperty('staging');
  });
});

describe('redirectAllTo with one message for each recipient', () => {
  it('sends each message there for its one recipient, and is final where the next hop is', async () => {
    const env = { SMTP_HOP: 'final', REDIRECT_ALL_TO: QA, RECIPIENTS_PER_MESSAGE: '1' };
    const host = await startHost({ smtp: sink, env });
    const id = await post(host, ['jörg@to.test', 'b@to.test'], { bcc: 'c@to.test' });
    await untilSettled(host, [id]);
    expect(envelopes()).toEqual([[QA], [QA], [QA]]);
    const fields = await Promise.all(sink.messages.map(fieldsOf));
    const originals = fields.map((one) => [one['x-original-to'], one['x-original-bcc']]);
    expect(originals).toEqual([
      [expect.stringMatching(/^(jörg@to\.test|=\?UTF-8\?Q\?j=C3=B6rg=40to=2Etest\?=)$/), undefined],
      ['b@to.test', undefined],
      [undefined, '1 others'],
    ]);
    expect(await eventTypes(host, id, 'c@to.test')).toEqual(['sent', 'delivered']);
    const shown = await sourceOf(host, id, '?recipient=b@to.test');
    expect(shown).toEqual(shownOf(sink.messages[1] as SinkMessage));
  });
});
