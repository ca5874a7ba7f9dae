import { Redis } from 'ioredis';
import { post, untilShown } from '../support/deliveries.js';
import { type RunningHost, startHost } from '../support/host.js';
import { startPostgresProxy } from '../support/postgres.js';
import { SmtpSink } from '../support/smtp-sink.js';
import type { TcpProxy } from '../support/tcp-proxy.js';
import { eventually, until } from '../support/wait-for.js';

/** One in every place where a caller can put one. */
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
} as const;

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
  // As talkative as it can be.
  host = await startHost({ smtp: sink, postgresProxy: proxy, env: { LOG_LEVEL: 'trace', RETRY_SCHEDULE: '200ms' } });
});

const send = (body: unknown, key?: string) =>
  host.request<{ id: string }>('POST', `/emails?q=${CANARIES.query}`, {
    body,
    headers: key === undefined ? {} : { 'idempotency-key': `${CANARIES.key}-${key}` },
  });

/** All the queue has, as text. */
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

afterEach(() => expectNoSecretIn(host.output));

describe('neither log lines nor jobs hold anything of an email or a caller', () => {
  it('when it is delivered', async () => {
    const { body } = await send(letter('ok'), 'ok');
    await untilShown(host, body.id, 'sent');
    expect((await send(letter('ok'), 'ok')).headers['idempotent-replayed']).toBe('true');
    expect((await send({ ...letter('ok'), text: 'other' }, 'ok')).status).toBe(409);
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

  it('when it bounces, is put off, or is lost on the way', async () => {
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
    expect((await host.request('GET', `/emails?after=${CANARIES.query}`)).status).toBe(422);
    expect((await host.request('GET', `/${CANARIES.to}@x.test?q=${CANARIES.query}`)).status).toBe(404);
    const stranger = 're_canary_of_a_stranger_0123456789';
    expect((await host.request('GET', '/emails', { token: stranger })).status).toBe(401);
    expectNoSecretIn(host.output, stranger);
  });

  it('when the database is away', async () => {
    const id = await post(host, `${CANARIES.to}@${CANARIES.domain}.test`, {
      scheduled_at: new Date(Date.now() + 500).toISOString(),
    });
    await proxy.refuse();
    expect((await send(letter('away'), 'away')).status).toBe(503);
    await eventually(() => expect(host.output).toContain('cannot be reached'));
    proxy.cut();
    await proxy.restore();
    await untilShown(host, id, 'sent', { timeout: 20_000 });
    expectNoSecretIn(await dumpOfTheQueue());
  });

  it('when the host stops', async () => {
    expect(await host.stop()).toBe(0);
  });
});
