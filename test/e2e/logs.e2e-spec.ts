import { Redis } from 'ioredis';
import { eventually, until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { startPostgresProxy } from '../support/servers/postgres.js';
import type { TcpProxy } from '../support/servers/proxy/tcp-proxy.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** A secret at every position that a caller controls. */
const CANARIES = {
  from: 'canary-from',
  fromName: 'Canary-Sender-Name',
  to: 'canary-to',
  toName: 'Canary-Recipient-Name',
  cc: 'canary-cc',
  bcc: 'canary-bcc',
  replyTo: 'canary-reply-to',
  domain: 'canary-domain',
  subject: 'canary-subject',
  html: 'canary-html',
  text: 'canary-text',
  headerName: 'X-Canary-Name',
  headerValue: 'canary-header-value',
  tagName: 'canary-tag-name',
  tagValue: 'canary-tag-value',
  filename: 'canary-filename',
  content: 'canary-attachment-content',
  key: 'canary-idempotency-key',
  query: 'canary-query',
  unknownField: 'canary_unknown_field',
  reply: 'canary-reply-of-the-server',
  variable: 'canary-variable',
  name: 'canary-name',
  path: 'canary-path',
} as const;

/** Lines that a start prints for its user. */
const FIRST_SCREEN = /^(nestjs-emails is ready\.$| {2})/;

const content = Buffer.from(CANARIES.content).toString('base64');

const letter = (domain: string) => ({
  from: `${CANARIES.fromName} <${CANARIES.from}@from.test>`,
  to: `${CANARIES.toName} <${CANARIES.to}@${CANARIES.domain}-${domain}.test>`,
  cc: `${CANARIES.cc}@${CANARIES.domain}-${domain}.test`,
  bcc: `${CANARIES.bcc}@${CANARIES.domain}-${domain}.test`,
  reply_to: `${CANARIES.replyTo}@from.test`,
  subject: CANARIES.subject,
  html: `<p>${CANARIES.html}</p>`,
  text: CANARIES.text,
  headers: { [CANARIES.headerName]: CANARIES.headerValue },
  tags: [{ name: CANARIES.tagName, value: CANARIES.tagValue }],
  attachments: [{ filename: `${CANARIES.filename}.txt`, content }],
});

let sink: SmtpSink;
let proxy: TcpProxy;
let host: RunningHost;

beforeAll(async () => {
  sink = await SmtpSink.start();
  proxy = await startPostgresProxy();
  // The most verbose level.
  host = await startHost({ smtp: sink, postgresProxy: proxy, env: { LOG_LEVEL: 'trace', RETRY_SCHEDULE: '200ms' } });
});

/** Bodies of the host's refusals. */
let refusals = '';

async function call(...[method, path, options]: Parameters<RunningHost['request']>) {
  const answer = await host.request<{ id: string }>(method, path, options);
  if (answer.status >= 400) refusals += `${answer.text}\n`;
  return answer;
}

const send = (body: unknown, key?: string) =>
  call('POST', `/emails?q=${CANARIES.query}`, {
    body,
    headers: key === undefined ? {} : { 'idempotency-key': `${CANARIES.key}-${key}` },
  });

/** The whole queue as text. */
async function dumpOfTheQueue(): Promise<string> {
  if (!host.redisUrl) {
    const tables = await host.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'bullmq'`,
    );
    const rows = await Promise.all(tables.map(({ name }) => host.query(`SELECT * FROM ${name}`)));
    return JSON.stringify(rows);
  }
  const redis = new Redis(host.redisUrl);
  try {
    const readers: Record<string, (key: string) => Promise<unknown>> = {
      hash: (key) => redis.hgetall(key),
      list: (key) => redis.lrange(key, 0, -1),
      set: (key) => redis.smembers(key),
      zset: (key) => redis.zrange(key, 0, -1, 'WITHSCORES'),
      stream: (key) => redis.xrange(key, '-', '+'),
      string: (key) => redis.get(key),
    };
    const keys = await redis.keys('*');
    const values = keys.map(async (key) => [key, await readers[await redis.type(key)]?.(key)]);
    return JSON.stringify(await Promise.all(values));
  } finally {
    redis.disconnect();
  }
}

function expectNoSecretIn(text: string, ...more: string[]): void {
  const found = [...Object.values(CANARIES), content, host.token, ...more].filter((secret) =>
    text.toLowerCase().includes(secret.toLowerCase()),
  );
  expect(found).toEqual([]);
}

/** Log line of a request. */
function lineOf(requestId: unknown): unknown {
  const line = host.output.split('\n').find((text) => text.includes(`"requestId":"${String(requestId)}"`));
  return line && JSON.parse(line);
}

afterEach(() => {
  expectNoSecretIn(host.output);
  // A refusal names the invalid field, also an unknown one of the caller.
  expectNoSecretIn(refusals.replaceAll(CANARIES.unknownField, '').replaceAll(`\`headers.${CANARIES.headerName}`, ''));
});

describe('log lines, jobs and refusals contain no data of an email or a caller', () => {
  it('when it is delivered', async () => {
    const { body } = await send(letter('ok'), 'ok');
    await untilShown(host, body.id, 'sent');
    expect((await send(letter('ok'), 'ok')).headers['idempotent-replayed']).toBe('true');
    expect((await send({ ...letter('ok'), text: 'other' }, 'ok')).status).toBe(409);
    await eventually(() => {
      const lines = host.output.split('\n').filter((line) => line.includes(body.id));
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ method: 'POST', status: 200, emailId: body.id, requestId: expect.any(String) }),
          expect.objectContaining({ msg: 'attempt ended', emailId: body.id, outcomes: { accepted: 3 } }),
        ]),
      );
    });
    await eventually(() => expect(host.output).toContain('"status":409'));
  });

  it('when it waits', async () => {
    const { body } = await send(
      { ...letter('later'), scheduled_at: new Date(Date.now() + 60_000).toISOString() },
      'later',
    );
    const dump = await until(async () => {
      const text = await dumpOfTheQueue();
      return text.includes(body.id) && text;
    });
    expectNoSecretIn(dump);
  });

  it('when it bounces, is deferred, or is lost on the way', async () => {
    const said: Record<string, string> = { bounce: '550', delay: '451' };
    sink.onMail = () => undefined;
    sink.onRcpt = (address, count) => {
      const [, domain = ''] = /canary-domain-(\w+)\.test$/.exec(address) ?? [];
      return said[domain] && count === 1 ? `${said[domain]} 5.1.1 ${CANARIES.reply} <${address}>` : undefined;
    };
    sink.onMessage = ({ envelope }, count) => (envelope.to[0]?.includes('lost') && count < 3 ? 'drop' : undefined);
    const [bounced, delayed, lost] = await Promise.all(
      ['bounce', 'delay', 'lost'].map((domain) => send(letter(domain))),
    );
    await untilShown(host, bounced!.body.id, 'bounced');
    await untilShown(host, delayed!.body.id, 'sent');
    await untilShown(host, lost!.body.id, 'sent');
    expectNoSecretIn(await dumpOfTheQueue());
  });

  it('when the request is refused', async () => {
    const broken = [
      { ...letter('bad'), [CANARIES.unknownField]: CANARIES.text },
      { ...letter('bad'), to: `${CANARIES.to} at nowhere` },
      { ...letter('bad'), headers: { [`${CANARIES.headerName}:`]: CANARIES.headerValue } },
      { ...letter('bad'), subject: `${CANARIES.subject}\n` },
      { ...letter('bad'), scheduled_at: CANARIES.text },
    ];
    for (const body of broken) expect((await send(body)).status).toBe(422);
    expect((await send(`{"subject": "${CANARIES.subject}",`)).status).toBe(400);
    expect((await call('GET', `/emails?after=${CANARIES.query}`)).status).toBe(422);
    expect((await call('GET', `/${CANARIES.to}@x.test?q=${CANARIES.query}`)).status).toBe(404);
    const url = `http://user:${CANARIES.path}@127.0.0.1:1/${CANARIES.path}`;
    expect((await send({ ...letter('bad'), attachments: [{ path: url }] })).status).toBe(422);
    const template = { id: CANARIES.name, variables: { A: CANARIES.variable } };
    expect((await send({ ...letter('bad'), html: '', text: undefined, template })).status).toBe(422);
    const stranger = 're_canary_of_a_stranger_0123456789';
    expect((await call('GET', '/emails', { token: stranger })).status).toBe(401);
    expectNoSecretIn(host.output, stranger);
  });

  it('when it is about topics, contacts, templates and keys', async () => {
    const { name, to, html, subject, variable, from } = CANARIES;
    const email = `${to}@to.test`;
    const variables = [{ key: 'A', type: 'string', fallback_value: variable }];
    for (const [method, path, body, status] of [
      ['POST', '/topics', { name, description: name, default_subscription: 'opt_in' }, 201],
      ['POST', '/contacts', { email, first_name: name, last_name: name }, 201],
      ['POST', '/contacts', { email, first_name: name }, 201],
      ['POST', '/contacts', { email, [CANARIES.unknownField]: name }, 422],
      ['GET', `/contacts/${email}`, undefined, 200],
      ['PATCH', `/contacts/${email}/topics`, { topics: [{ id: name, subscription: name }] }, 422],
      [
        'POST',
        '/templates',
        { name, alias: name, from: `${from}@x.test`, subject, html: `${html}{{A}}`, variables },
        201,
      ],
      ['POST', `/templates/${name}/publish`, undefined, 200],
      [
        'POST',
        '/emails',
        { ...letter('own'), html: '', text: undefined, template: { id: name, variables: { A: variable } } },
        200,
      ],
      ['PATCH', `/templates/${name}`, { [CANARIES.unknownField]: name }, 422],
      ['DELETE', `/contacts/${email}`, undefined, 200],
      ['POST', '/api-keys', { name, permission: name }, 422],
    ] as const) {
      const answer = await call(method, path, { body });
      expect([method, path, answer.status]).toEqual([method, path, status]);
    }
  });

  it('when the host fails unexpectedly', async () => {
    await host.query('ALTER TABLE nestjs_emails.emails RENAME COLUMN subject TO lost');
    await host.query('ALTER TABLE nestjs_emails.contacts RENAME COLUMN first_name TO lost');
    const answers = [
      await send(letter('broken'), 'broken'),
      await call('GET', `/emails?q=${CANARIES.query}`),
      await call('POST', '/contacts', { body: { email: `${CANARIES.to}@x.test`, first_name: CANARIES.name } }),
    ];
    await host.query('ALTER TABLE nestjs_emails.emails RENAME COLUMN lost TO subject');
    await host.query('ALTER TABLE nestjs_emails.contacts RENAME COLUMN lost TO first_name');
    for (const { status, body, headers } of answers) {
      expect({ status, body }).toEqual({
        status: 500,
        body: { statusCode: 500, name: 'application_error', message: expect.stringMatching(/^[A-Z][^`"]*\.$/) },
      });
      await eventually(() => expect(lineOf(headers['x-request-id'])).toMatchObject({ level: 'error', status: 500 }));
    }
    expect(host.output).toMatch(/"context":"ApiErrorFilter"[^\n]*42703/);
  });

  it('and every line is JSON, one of them for each answer, found by the id that the answer carries', async () => {
    for (const [method, path, status] of [
      ['GET', '/emails', 200],
      ['GET', '/emails?limit=x', 422],
      ['POST', '/topics', 415],
      ['PUT', '/emails', 405],
      ['GET', '/nowhere', 404],
    ] as const) {
      const answer = await call(method, path);
      await eventually(() =>
        expect(lineOf(answer.headers['x-request-id'])).toMatchObject({ level: 'info', method, status }),
      );
    }
    const lines = host.output.split('\n').filter((line) => line !== '' && !FIRST_SCREEN.test(line));
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      lines.map(() => expect.objectContaining({ level: expect.any(String), time: expect.any(String) })),
    );
  });

  it('when the database is away', async () => {
    const id = await post(host, `${CANARIES.to}@${CANARIES.domain}.test`, {
      scheduled_at: new Date(Date.now() + host.seconds(0.5)).toISOString(),
    });
    await proxy.refuse();
    expect((await send(letter('away'), 'away')).status).toBe(503);
    await eventually(() => expect(host.output).toContain('cannot be reached'));
    proxy.cut();
    await proxy.restore();
    await untilShown(host, id, 'sent');
    expectNoSecretIn(await dumpOfTheQueue());
  });

  it('when the host stops', async () => {
    expect(await host.stop()).toBe(0);
  });
});
