import type { EmailEventDto, EmailMetricsDto, ListEnvelope } from 'nestjs-emails';
import { createTransport } from 'nodemailer';
import { freePort } from '../support/basics/free-port.mjs';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { queueKind } from '../support/jest/test-environment.js';
import { eventTypes, listed, post, untilShown } from '../support/reading/deliveries.js';
import { headerLines, headerNames, parseMime } from '../support/reading/mime.js';
import { type Answer, httpRequest } from '../support/requests/http-request.js';
import { type SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const PUBLIC_URL = 'https://mail.shop.test/api';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HTML = '<p>News. <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a></p>';

let sink: SmtpSink;
let host: RunningHost;
let port: number;
let topic_id: string;
let people = 0;

const someone = () => `jane${people++}@reader.test`;

beforeAll(async () => {
  [sink, port] = await Promise.all([SmtpSink.start(), freePort()]);
  host = await startHost({
    smtp: sink,
    env: { PUBLIC_URL, DKIM: 'relay', BOUNCE_DOMAIN: 'bounces.test', BOUNCE_SMTP_PORT: String(port) },
  });
  topic_id = await newTopic('News');
});

beforeEach(() => sink.reset());

async function newTopic(name: string, more: object = {}): Promise<string> {
  const body = { name, default_subscription: 'opt_in', ...more };
  const answer = await host.request<{ id: string }>('POST', '/topics', { body });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

/** The message of an email. */
const messageOf = (id: string) =>
  until(() => sink.messages.find(({ raw }) => raw.toString('latin1').includes(`Message-ID: <${id}@`)));

/** Value of a field, unfolded. */
const fieldOf = ({ raw }: SinkMessage, name: string) =>
  headerLines(raw)
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.replace(/^[^:]*:\s*/, '')
    .replace(/\r\n[ \t]+/g, ' ');

interface Sent {
  id: string;
  message: SinkMessage;
  /** Path of the link, below the public address. */
  path: string;
  mailbox: string;
}

async function send(to: string, fields: Record<string, unknown> = {}): Promise<Sent> {
  const id = await post(host, to, { topic_id, ...fields });
  const message = await messageOf(id);
  const [, path = '', mailbox = ''] =
    /^<https:\/\/mail\.shop\.test\/api(\/unsubscribe\/[\w-]+)>, <mailto:(.+)>$/.exec(
      fieldOf(message, 'List-Unsubscribe') ?? '',
    ) ?? [];
  return { id, message, path, mailbox };
}

/** As a stranger without a key. */
const ask = (method: string, path: string, body?: string, headers: object = FORM): Promise<Answer<string>> =>
  httpRequest(host.url, method, path, { body, headers: { ...headers } });

const eventsShown = async (id: string) =>
  (await host.request<ListEnvelope<EmailEventDto>>('GET', `/emails/${id}/events`)).body.data;

const choiceOf = async (email: string, topic = topic_id) => {
  const path = `/contacts/${email}/topics`;
  const { status, body } = await host.request<ListEnvelope<{ id: string; subscription: string }>>('GET', path);
  return status === 404 ? undefined : body.data.find(({ id }) => id === topic)?.subscription;
};

describe(`unsubscribing, queue on ${queueKind()}`, () => {
  it('is offered by a message with a topic to one recipient: header, one click and placeholders', async () => {
    const { message, path, mailbox } = await send(someone(), { html: HTML, text: 'Off: {{{UNSUBSCRIBE_URL}}}' });
    expect(path).toMatch(/^\/unsubscribe\/[\w-]{120,160}$/);
    expect(mailbox).toMatch(/^u\+[a-z2-7]{47}@bounces\.test$/);
    expect(fieldOf(message, 'List-Unsubscribe-Post')).toBe(ONE_CLICK);
    const { html, text } = await parseMime(message.raw);
    expect(html).toContain(`<a href="${PUBLIC_URL}${path}">`);
    expect(text).toContain(`Off: ${PUBLIC_URL}${path}`);
  });

  it('stays a placeholder in what is recorded', async () => {
    const { id, path } = await send(someone(), { html: HTML, text: 'x' });
    const shown = await host.request<{ html: string }>('GET', `/emails/${id}`);
    expect(shown.body.html).toBe(HTML);
    const source = await host.request('GET', `/emails/${id}/source`);
    expect(source.text).toContain('RESEND_UNSUBSCRIBE_URL');
    for (const { text } of [shown, source]) expect(text).not.toContain(path.slice(-40));
  });

  it('is not offered without a topic, to several recipients, or next to a header of the caller', async () => {
    const own = { 'list-unsubscribe': '<https://own.test/u>' };
    for (const [to, fields] of [
      [someone(), { topic_id: undefined }],
      [[someone(), someone()], {}],
    ] as const) {
      const { raw } = await messageOf(await post(host, to, { topic_id, ...fields }));
      expect(headerNames(raw).filter((name) => name.startsWith('list-'))).toEqual([]);
    }
    const { raw } = await messageOf(await post(host, someone(), { topic_id, headers: own }));
    expect(headerNames(raw).filter((name) => name.startsWith('list-'))).toEqual(['list-unsubscribe']);
  });

  it('works by one click, as often as it comes, in both forms', async () => {
    const jane = someone();
    const { id, path } = await send(jane);
    const multipart = `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`;
    for (const [body, type] of [
      [ONE_CLICK, FORM['content-type']],
      [multipart, 'multipart/form-data; boundary=b'],
    ] as const) {
      const answer = await ask('POST', path, body, { 'content-type': type });
      expect([answer.status, answer.text]).toEqual([200, '']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(await choiceOf(jane)).toBe('opt_out');
    expect((await eventsShown(id))[0]).toMatchObject({ type: 'unsubscribed', recipient: jane, source: 'unsubscribe' });
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'unsubscribed']);
    expect((await listed(host, id)).last_event).toBe('sent');
    const recipients = await host.request<ListEnvelope<object>>('GET', `/emails/${id}/recipients`);
    expect(recipients.body.data).toMatchObject([{ address: jane, last_event: 'sent' }]);
    const next = await post(host, jane, { topic_id });
    await untilShown(host, next, 'failed');
    expect(await eventsShown(next)).toMatchObject([{ reason_code: 'topic_opted_out' }, {}]);
  });

  it('counts in metrics', async () => {
    const { id, path } = await send(someone());
    await ask('POST', path, ONE_CLICK);
    const query = `/emails/metrics?metrics=unsubscribed,sent&dimensions=email&email_id=${id}`;
    const { body } = await host.request<EmailMetricsDto>('GET', query);
    expect(body.totals).toEqual({ unsubscribed: 1, sent: 1 });
  });

  it('works by a mail to the address in the header, whatever it says', async () => {
    const jane = someone();
    const { id, mailbox } = await send(jane);
    const mail = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    for (let time = 0; time < 2; time++) {
      await mail.sendMail({ envelope: { from: jane, to: mailbox.toUpperCase() }, raw: 'Subject: x\r\n\r\n' });
    }
    expect(await choiceOf(jane)).toBe('opt_out');
    expect(await eventTypes(host, id)).toEqual(['queued', 'sent', 'unsubscribed']);
    const [first = ''] = mailbox.slice(2);
    const forged = mailbox.replace(`u+${first}`, `u+${first === 'a' ? 'b' : 'a'}`);
    const refused = mail.sendMail({ envelope: { from: jane, to: forged }, raw: 'Subject: x\r\n\r\n' });
    await expect(refused).rejects.toMatchObject({ responseCode: 550 });
  });

  it('is the same link at each attempt', async () => {
    const refused: string[] = [];
    sink.onMessage = ({ raw }, count) => {
      if (count > 1) return undefined;
      refused.push(raw.toString());
      return '451 4.3.0 later';
    };
    const { message } = await send(someone(), { html: HTML });
    expect(refused).toEqual([message.raw.toString()]);
  });

  it('refuses placeholders that would go out as they are', async () => {
    const refusal = async (fields: object) => {
      const body = { from: 'a@from.test', to: someone(), subject: 'x', html: HTML, topic_id, ...fields };
      const { status, body: answer } = await host.request<{ message: string }>('POST', '/emails', { body });
      return [status, answer.message];
    };
    expect(await refusal({ topic_id: undefined })).toEqual([422, expect.stringContaining('needs `topic_id`')]);
    expect(await refusal({ cc: someone() })).toEqual([422, expect.stringContaining('to one recipient')]);
    expect(await refusal({ html: HTML.repeat(101) })).toEqual([422, expect.stringContaining('up to 100 times')]);
  });

  it('is filled into a template, whose values cannot ask for it', async () => {
    const template = {
      name: 'news',
      from: 'Shop <shop@from.test>',
      subject: 'News',
      html: '{{NAME}} <a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Off</a> {{UNSUBSCRIBE_URL}}',
      variables: [{ key: 'NAME', type: 'string', fallback_value: 'you' }],
    };
    const made = await host.request<{ id: string }>('POST', '/templates', { body: template });
    expect(made.status).toBe(201);
    await host.request('POST', `/templates/${made.body.id}/publish`);
    const of = (variables: object) => ({
      text: undefined,
      subject: undefined,
      template: { id: made.body.id, variables },
    });
    const { message, path } = await send(someone(), of({ NAME: 'Jane' }));
    const { html } = await parseMime(message.raw);
    expect(html).toContain(`Jane <a href="${PUBLIC_URL}${path}">Off</a> ${PUBLIC_URL}${path}`);
    const answer = await host.request('POST', '/emails', { body: { to: someone(), template: { id: made.body.id } } });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('needs `topic_id`')]);
    const plain = { ...template, name: 'plain', html: '{{{NAME}}}' };
    const other = await host.request<{ id: string }>('POST', '/templates', { body: plain });
    await host.request('POST', `/templates/${other.body.id}/publish`);
    const variables = { NAME: '{{{UNSUBSCRIBE_URL}}}' };
    await post(host, someone(), { ...of(variables), template: { id: other.body.id, variables } });
  });

  it('works after retention has deleted the email, and after the topic was deleted', async () => {
    const jane = someone();
    const { id, path } = await send(jane);
    await host.query('DELETE FROM nestjs_emails.emails WHERE id = $1', [id]);
    expect((await ask('POST', path, ONE_CLICK)).status).toBe(200);
    expect(await choiceOf(jane)).toBe('opt_out');

    const joe = someone();
    const gone = await newTopic('Gone');
    const { path: late } = await send(joe, { topic_id: gone });
    await host.request('DELETE', `/topics/${gone}`);
    expect((await ask('POST', late, ONE_CLICK)).status).toBe(200);
    expect((await host.request('GET', `/contacts/${joe}`)).status).toBe(404);
    expect((await ask('GET', late)).status).toBe(200);
  });

  it('brings nothing of an erased person back into the email', async () => {
    const jane = someone();
    const { id, path } = await send(jane);
    await ask('POST', path, ONE_CLICK);
    const erasure = await host.request<{ id: string }>('POST', '/erasures', { body: { email: jane } });
    await until(async () => {
      const { body } = await host.request<{ status: string }>('GET', `/erasures/${erasure.body.id}`);
      return body.status === 'finished';
    });
    expect((await host.request('GET', `/contacts/${jane}`)).status).toBe(404);
    expect((await ask('POST', path, ONE_CLICK)).status).toBe(200);
    // The person's own wish, after the erasure.
    expect(await choiceOf(jane)).toBe('opt_out');
    expect(JSON.stringify(await eventsShown(id))).not.toContain(jane);
    expect(JSON.stringify((await host.request('GET', `/emails/${id}`)).body)).not.toContain(jane);
  });

  it('is published like a choice by the API', async () => {
    const jane = someone();
    const subscriber = 'tests-of-unsubscribing';
    await host.query('INSERT INTO nestjs_emails.event_subscriptions (subscriber, types) VALUES ($1, $2)', [
      subscriber,
      ['contact.created', 'contact.topics.updated'],
    ]);
    const { path } = await send(jane);
    for (let time = 0; time < 2; time++) await ask('POST', path, ONE_CLICK);
    const published = await host.query<{ type: string; data: object }>(
      'SELECT type, data FROM nestjs_emails.event_outbox WHERE subscriber = $1 ORDER BY event_id',
      [subscriber],
    );
    expect(published).toMatchObject([
      { type: 'contact.created', data: { email: jane } },
      {
        type: 'contact.topics.updated',
        data: { email: jane, topics: [{ id: topic_id, subscription: 'opt_out' }] },
      },
    ]);
  });

  it('is the choice of the account alone whose email it was', async () => {
    const jane = someone();
    const { path } = await send(jane);
    const { token } = await host.account('other');
    await ask('POST', path, ONE_CLICK);
    expect((await host.request('GET', `/contacts/${jane}`, { token })).status).toBe(404);
  });
});

describe('a worker without a public address', () => {
  it.each([
    ['warns that its emails get no link', undefined, true],
    ['has nothing to warn about with one', PUBLIC_URL, false],
  ])('%s', async (_, url, warns) => {
    const worker = await startHost({ role: 'worker', beside: host, smtp: sink, env: { PUBLIC_URL: url } });
    expect(worker.output.includes('emails with a topic get no `List-Unsubscribe` here')).toBe(warns);
    await worker.stop();
  });
});
