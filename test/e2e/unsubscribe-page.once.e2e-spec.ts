import type { ListEnvelope } from 'nestjs-emails';
import pg from 'pg';
import { until, within } from '../support/basics/wait-for.js';
import { prepareHost, type RunningHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { type Answer, httpRequest } from '../support/requests/http-request.js';
import { connectTo } from '../support/requests/raw-connection.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const OLD = 'old-'.repeat(10);
const NEW = 'new-'.repeat(10);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = 'List-Unsubscribe=One-Click';

let sink: SmtpSink;
let host: RunningHost;
const topics: Record<'news' | 'offers' | 'inner' | 'members', string> = {} as never;
let people = 0;

const someone = () => `jane${people++}@reader.test`;

beforeAll(async () => {
  sink = await SmtpSink.start();
  host = await prepareHost({ smtp: sink });
  Object.assign(host.env, { SECRET_KEY: OLD, PUBLIC_URL: host.url });
  await host.start();
  const add = async (name: string, more: object) => {
    const body = { name, default_subscription: 'opt_in', ...more };
    return (await host.request<{ id: string }>('POST', '/topics', { body })).body.id;
  };
  topics.news = await add('News', {});
  topics.offers = await add('Offers & <b>more</b>', { visibility: 'public', description: 'Each week.' });
  topics.inner = await add('Inner circle', { default_subscription: 'opt_out' });
  topics.members = await add('Members', { default_subscription: 'opt_in' });
});

/** Path of the link of an email to this address, by default of the private topic of news. */
async function linkOf(to: string, topic_id = topics.news): Promise<string> {
  const id = await post(host, to, { topic_id });
  const message = await until(() =>
    sink.messages.find(({ raw }) => raw.toString('latin1').includes(`Message-ID: <${id}@`)),
  );
  const [, path = ''] = /\/(unsubscribe\/[\w-]+)>/.exec(message.raw.toString()) ?? [];
  return `/${path}`;
}

/** As a stranger without a key. */
const ask = (method: string, path: string, body?: string | Buffer, headers: object = {}): Promise<Answer<string>> =>
  httpRequest(host.url, method, path, { body, headers: { ...(body !== undefined && FORM), ...headers } });

async function choicesOf(email: string): Promise<Record<string, string> | undefined> {
  const contact = await host.request<{ unsubscribed: boolean }>('GET', `/contacts/${email}`);
  if (contact.status === 404) return undefined;
  const path = `/contacts/${email}/topics`;
  const { data } = (await host.request<ListEnvelope<{ id: string; subscription: string }>>('GET', path)).body;
  const of = (id: string) => data.find((topic) => topic.id === id)?.subscription;
  const { news, offers, inner, members } = topics;
  const unsubscribed = contact.body.unsubscribed;
  return { news: of(news), offers: of(offers), inner: of(inner), members: of(members), unsubscribed } as never;
}

/** Every row of the database that a reader could change. */
const rows = () =>
  host.query(
    `SELECT 'contact', c.id::text, c.unsubscribed::text FROM nestjs_emails.contacts c
     UNION ALL SELECT 'choice', contact_id::text || topic_id, subscription FROM nestjs_emails.topic_choices
     UNION ALL SELECT 'event', email_id::text, type FROM nestjs_emails.events WHERE type = 'unsubscribed' ORDER BY 1, 2, 3`,
  );

describe('the page of choices', () => {
  it('shows the topic of the email first, public ones, and private ones that one gets', async () => {
    const jane = someone();
    const { text, headers } = await ask('GET', await linkOf(jane));
    const names = [...text.matchAll(/<h[23] id="t\d">([^<]*(?:<\/?b>)?[^<]*)</g)].map(([, name]) => name);
    expect(names).toEqual(['News', 'Members', 'Offers &amp; &lt;b&gt;more&lt;/b&gt;']);
    expect(text).not.toContain(jane);
    expect(text).toContain('j•••@reader.test');
    expect(text).not.toMatch(/<script|<img|Inner circle/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      ),
    });
  });

  it('changes nothing when it is only opened', async () => {
    const path = await linkOf(someone());
    const before = await rows();
    for (const method of ['GET', 'HEAD', 'GET']) expect((await ask(method, path)).status).toBe(200);
    expect((await ask('GET', `${path}?${ONE_CLICK}&all=1&topic=${topics.news}`)).status).toBe(200);
    for (const method of ['PUT', 'DELETE', 'PATCH']) expect((await ask(method, path)).status).toBe(405);
    expect(await rows()).toEqual(before);
  });

  it('opts out of topics, and back in', async () => {
    const jane = someone();
    const path = await linkOf(jane);
    const { text } = await ask('POST', path, `choice=opt_out&topic=${topics.news}`);
    expect(text).toContain('<p role="status">You are unsubscribed from “News”.</p>');
    await ask('POST', path, `topic=${topics.offers}`);
    expect(await choicesOf(jane)).toMatchObject({ news: 'opt_out', offers: 'opt_out', members: 'opt_in' });
    await ask('POST', path, `choice=opt_in&topic=${topics.news}`);
    const back = await ask('POST', path, `choice=opt_in&topic=${topics.offers}`);
    expect(back.text).toContain('You are subscribed to “Offers &amp; &lt;b&gt;more&lt;/b&gt;”.');
    expect(await choicesOf(jane)).toMatchObject({ news: 'opt_in', offers: 'opt_in' });
    expect((await untilShown(host, await post(host, jane, { topic_id: topics.news }), 'sent')).last_event).toBe('sent');
  });

  it('opts out of everything, and back in to one topic alone', async () => {
    const jane = someone();
    const path = await linkOf(jane);
    const { text } = await ask('POST', path, 'all=1');
    expect(text).toContain('You are unsubscribed from everything.');
    const nothing = { news: 'opt_out', offers: 'opt_out', inner: 'opt_out', members: 'opt_out' };
    expect(await choicesOf(jane)).toEqual({ ...nothing, unsubscribed: true });
    await ask('POST', path, 'all=1');
    await ask('POST', path, `choice=opt_in&topic=${topics.offers}`);
    expect(await choicesOf(jane)).toEqual({ ...nothing, offers: 'opt_in', unsubscribed: false });
    // A password reset has no topic.
    await ask('POST', path, 'all=1');
    await untilShown(host, await post(host, jane), 'sent');
  });

  it('keeps readers out of everything who were so by the API, when they opt in to one topic', async () => {
    const jane = someone();
    await host.request('POST', '/contacts', { body: { email: jane, unsubscribed: true } });
    const path = await linkOf('joe@reader.test');
    const id = await post(host, jane, { topic_id: topics.news });
    await untilShown(host, id, 'failed');
    // A link from before: the same person by another spelling.
    await host.request('PATCH', `/contacts/${jane}`, { body: { unsubscribed: false } });
    const own = await linkOf(jane.toUpperCase());
    await host.request('PATCH', `/contacts/${jane}`, { body: { unsubscribed: true } });
    const { text } = await ask('GET', own);
    expect(text).toContain('You are unsubscribed from everything. If you subscribe');
    expect(text).not.toContain('Members');
    await ask('POST', own, `choice=opt_in&topic=${topics.offers}`);
    expect(await choicesOf(jane)).toMatchObject({ offers: 'opt_in', news: 'opt_out', members: 'opt_out' });
    expect(path).not.toBe(own);
  });

  it('does not let anybody in to a private topic', async () => {
    const jane = someone();
    const path = await linkOf(jane);
    const { status, text } = await ask('POST', path, `choice=opt_in&topic=${topics.inner}`);
    expect([status, text]).toEqual([200, expect.stringContaining('Nothing was changed')]);
    expect(await choicesOf(jane)).toBeUndefined();
    const { token } = await host.account('other');
    const body = { name: 'Foreign', default_subscription: 'opt_out', visibility: 'public' };
    const foreign = (await host.request<{ id: string }>('POST', '/topics', { body, token })).body.id;
    expect((await ask('POST', path, `choice=opt_in&topic=${foreign}`)).text).toContain('Nothing was changed');
    expect((await ask('GET', path)).text).not.toContain('Foreign');
  });

  it('works for addresses on the suppression list', async () => {
    const jane = someone();
    const path = await linkOf(jane);
    await host.request('POST', '/suppressions', { body: { email: jane } });
    expect((await ask('POST', path, ONE_CLICK)).status).toBe(200);
    expect(await choicesOf(jane)).toMatchObject({ news: 'opt_out' });
    expect((await host.request('GET', `/suppressions/${jane}`)).status).toBe(200);
  });

  it('makes no contact of an account that has no topics any more', async () => {
    const { token } = await host.account('ended');
    const body = { name: 'Last', default_subscription: 'opt_in' };
    const topic = (await host.request<{ id: string }>('POST', '/topics', { body, token })).body.id;
    const email = { from: 'a@from.test', to: someone(), subject: 'x', text: '{{{UNSUBSCRIBE_URL}}}', topic_id: topic };
    const { id } = (await host.request<{ id: string }>('POST', '/emails', { body: email, token })).body;
    const message = await until(() => sink.messages.find(({ raw }) => raw.toString().includes(`<${id}@`)));
    const [, path = ''] = /(\/unsubscribe\/[\w-]+)>/.exec(message.raw.toString()) ?? [];
    await host.request('DELETE', `/topics/${topic}`, { token });
    for (const form of ['all=1', ONE_CLICK, `topic=${topic}`]) expect((await ask('POST', path, form)).status).toBe(200);
    expect((await ask('GET', path)).text).toContain('There are no subscriptions to choose from.');
    expect((await host.request<ListEnvelope<object>>('GET', '/contacts', { token })).body.data).toEqual([]);
  });

  it('answers any link that is not ours with the same page, and changes nothing', async () => {
    const path = await linkOf(someone());
    const before = await rows();
    const pages = new Set<string>();
    const changed = path.replace(/.(?=.{30}$)/, (one) => (one === 'a' ? 'b' : 'a'));
    for (const wrong of [
      changed,
      path.slice(0, -1),
      `${path}A`,
      '/unsubscribe/x',
      `/unsubscribe/${'A'.repeat(5_000)}`,
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await ask(method, wrong, method === 'POST' ? ONE_CLICK : undefined);
        expect(answer.status).toBe(404);
        expect(answer.headers).toMatchObject({
          'cache-control': 'no-store, no-transform',
          'x-robots-tag': 'noindex, nofollow',
        });
        pages.add(answer.text);
      }
    }
    expect([...pages]).toEqual([expect.stringContaining('<h1>This link is not valid</h1>')]);
    expect(await rows()).toEqual(before);
  });

  it('refuses forms that it does not know, without a change', async () => {
    const path = await linkOf(someone());
    const before = await rows();
    const statusOf = async (body: string | Buffer, headers?: object) => (await ask('POST', path, body, headers)).status;
    expect(await statusOf('')).toBe(422);
    expect(await statusOf('List-Unsubscribe=Two')).toBe(422);
    expect(await statusOf('choice=opt_in')).toBe(422);
    expect(await statusOf('{"all":"1"}', { 'content-type': 'application/json' })).toBe(415);
    expect(await statusOf(ONE_CLICK, { 'content-encoding': 'gzip' })).toBe(415);
    expect(await statusOf(ONE_CLICK, { 'content-type': 'multipart/form-data' })).toBe(400);
    expect(await statusOf(`${ONE_CLICK}&x=${'x'.repeat(4_096)}`)).toBe(413);
    expect(await rows()).toEqual(before);
  });

  it('needs no key, no cookie and no header, and is not redirected', async () => {
    const jane = someone();
    const socket = await connectTo(host.url);
    const path = await linkOf(jane);
    socket.write(`POST ${path} HTTP/1.0\r\nContent-Length: ${ONE_CLICK.length}\r\n\r\n${ONE_CLICK}`);
    let heard = '';
    for await (const piece of socket) heard += piece;
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(heard.endsWith('\r\n\r\n')).toBe(true);
    expect(await choicesOf(jane)).toMatchObject({ news: 'opt_out' });
  });

  it('takes names without quotes, and `identity` in any case', async () => {
    const form = '--x\r\nContent-Disposition: form-data; name=List-Unsubscribe\r\n\r\nOne-Click\r\n--x--\r\n';
    for (const [body, headers] of [
      [form, { 'content-type': 'multipart/form-data; boundary=x' }],
      [ONE_CLICK, { 'content-encoding': 'Identity' }],
    ] as const) {
      const jane = someone();
      expect((await ask('POST', await linkOf(jane), body, headers)).status).toBe(200);
      expect(await choicesOf(jane)).toMatchObject({ news: 'opt_out' });
    }
  });

  it('reads old links after the secret was changed, and the new ones', async () => {
    const [jane, joe] = [someone(), someone()];
    const old = await linkOf(jane);
    Object.assign(host.env, { SECRET_KEY: `${NEW},${OLD}` });
    await host.stop();
    await host.start();
    expect((await ask('POST', old, ONE_CLICK)).status).toBe(200);
    expect((await ask('POST', await linkOf(joe), ONE_CLICK)).status).toBe(200);
    Object.assign(host.env, { SECRET_KEY: NEW });
    await host.stop();
    await host.start();
    expect((await ask('GET', old)).status).toBe(404);
    expect((await ask('GET', await linkOf(joe, topics.offers))).status).toBe(200);
  });

  it('limits requests with the links of one reader, and guesses of one network, each alone', async () => {
    const [jane, joe] = [await linkOf(someone()), await linkOf(someone())];
    const statuses = async (path: string, count: number) => {
      const found: number[] = [];
      for (let time = 0; time < count; time++) found.push((await ask('GET', path)).status);
      return found;
    };
    const all = await statuses(jane, 61);
    expect(all.slice(0, 60)).toEqual(Array(60).fill(200));
    expect(all[60]).toBe(429);
    expect(await ask('POST', jane, ONE_CLICK)).toMatchObject({ status: 429, headers: { 'ratelimit-limit': '60' } });
    expect((await statuses(`${joe}A`, 70)).at(-1)).toBe(429);
    expect((await ask('POST', joe, ONE_CLICK)).status).toBe(200);
  });

  it('holds nobody up while the contact of another is locked', async () => {
    const [jane, joe] = [someone(), someone()];
    const [path, other] = [await linkOf(jane), await linkOf(joe)];
    await ask('POST', path, ONE_CLICK);
    const client = new pg.Client({ connectionString: host.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM nestjs_emails.contacts WHERE email = $1 FOR UPDATE', [jane]);
      const waiting = Array.from({ length: 12 }, () => ask('POST', path, `choice=opt_in&topic=${topics.news}`));
      for (let time = 0; time < 5; time++) {
        const answer = await within(ask('POST', other, ONE_CLICK), host.seconds(3), 'another reader');
        expect(answer.status).toBe(200);
      }
      expect((await host.request('GET', '/topics')).status).toBe(200);
      await client.query('COMMIT');
      // On a slow machine they had to wait for too long.
      for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
      expect((await ask('POST', path, `choice=opt_in&topic=${topics.news}`)).status).toBe(200);
      expect(await choicesOf(jane)).toMatchObject({ news: 'opt_in' });
    } finally {
      await client.end();
    }
  });

  it('answers 503 while a contact stays locked', async () => {
    const jane = someone();
    const path = await linkOf(jane);
    await ask('POST', path, ONE_CLICK);
    const client = new pg.Client({ connectionString: host.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM nestjs_emails.contacts WHERE email = $1 FOR UPDATE', [jane]);
      const answer = await ask('POST', path, 'all=1');
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, expect.any(String)]);
    } finally {
      await client.end();
    }
    expect((await ask('POST', path, 'all=1')).status).toBe(200);
  });

  it('writes one contact for many requests at once', async () => {
    const jane = someone();
    const path = await linkOf(jane);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask('POST', path, at % 2 ? 'all=1' : ONE_CLICK)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const found = await host.query('SELECT FROM nestjs_emails.contacts WHERE email = $1', [jane]);
    expect(found).toHaveLength(1);
    expect(await choicesOf(jane)).toMatchObject({ news: 'opt_out', members: 'opt_out', unsubscribed: true });
    const events = await host.query("SELECT FROM nestjs_emails.events WHERE type = 'unsubscribed' AND recipient = $1", [
      jane,
    ]);
    expect(events).toHaveLength(1);
  });
});
