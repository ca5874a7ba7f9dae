import { once } from 'node:events';
import type { Socket } from 'node:net';
import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import { post, untilShown } from '../support/reading/deliveries.js';
import { everyByte, printOf, randomFile } from '../support/reading/files.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { withoutReference } from '../support/reading/without-reference.js';
import type { RequestOptions } from '../support/requests/http-request.js';
import { connectTo } from '../support/requests/raw-connection.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const TO = 'Zoë <zoe@to.test>';
const LOGO = { content_type: 'image/png', content_id: 'logo', content: everyByte().toString('base64') };
const PDF = { filename: 'Überblick.pdf', content: randomFile(100_000).toString('base64') };

/** In bytes and megabytes: the connections themselves buffer up to 6 MB each of the requested data. */
const READERS = { file: 12_000_000, count: 20, megabytes: 160 };
/** Bytes. Next to two of them there is no room for a third of the same account. */
const MUCH = 20_000_000;

/** Contract, section 3.2: an email in its wire format. */
describe('GET /emails/:id/source', () => {
  let sink: SmtpSink;
  let host: RunningHost;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await startHost({ smtp: sink, env: { SMTP_HOP: 'final' } });
  });

  /** The message, in bytes. */
  async function sourceOf(
    id: string,
    { token = host.token, method = 'GET' }: { token?: string; method?: string } = {},
  ) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${host.url}/emails/${id}/source`, { method, headers });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  }

  const sent = async (id: string) => {
    const { raw } = await sink.waitFor((message) => message.raw.includes(`<${id}@`));
    return { raw: withoutReference(raw) };
  };

  it.each<[string, Record<string, unknown>]>([
    ['text', {}],
    ['html', { html: '<p>Grüße an 漢字 🎉</p>', text: undefined, subject: 'Grüße' }],
    ['html alone', { html: '<p>Hello</p>', text: '' }],
    ['long, dotted and non-ASCII lines', { text: `.\n..dot\nFrom me\n${'ä'.repeat(2_000)}\n${'x'.repeat(5_000)}` }],
    [
      'copies, replies and headers',
      { cc: 'c@to.test', reply_to: ['Jörg <j@from.test>'], headers: { 'X-Campaign': 'Frühling' } },
    ],
    ['an address that needs SMTPUTF8', { reply_to: 'jörg@from.test' }],
    ['files', { html: '<img src="cid:logo">', attachments: [LOGO, PDF] }],
    ['much text', { text: 'Viel. '.repeat(500_000) }],
  ])('equals the message at the next hop: %s', async (_, fields) => {
    const id = await post(host, TO, fields);
    const { raw } = await sent(id);
    const { status, headers, bytes } = await sourceOf(id);
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'message/rfc822',
        'content-disposition': `attachment; filename="${id}.eml"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
    expect(printOf(bytes)).toEqual(printOf(raw));
  });

  it('streams 25 MB as sent, without loading them into memory', async () => {
    const id = await post(host, TO, {
      attachments: [{ filename: 'a.bin', content: randomFile(25_000_000).toString('base64') }],
    });
    const { raw } = await sent(id);
    await untilShown(host, id, 'delivered');
    await host.restart();
    const before = megabytesOf(host.pid);
    const readers = Array.from({ length: 5 }, async () => printOf((await sourceOf(id)).bytes));
    expect(await Promise.all(readers)).toEqual(Array(5).fill(printOf(raw)));
    // Together they request 170. Garbage takes up to 130, for any number of readers.
    expect(megabytesOf(host.pid) - before).toBeLessThan(150);
  });

  it('names no bcc recipient, and no refused one', async () => {
    const topic = await host.request<{ id: string }>('POST', '/topics', {
      body: { name: 'News', default_subscription: 'opt_in' },
    });
    const topics = [{ id: topic.body.id, subscription: 'opt_out' }];
    await host.request('POST', '/contacts', { body: { email: 'gone@to.test', topics } });
    const id = await post(host, ['here@to.test', 'gone@to.test'], { bcc: 'hidden@to.test', topic_id: topic.body.id });
    const { raw } = await sent(id);
    await untilShown(host, id, 'delivered');
    const { bytes } = await sourceOf(id);
    expect(bytes.toString()).toBe(raw.toString());
    expect(bytes.toString()).toContain('here@to.test');
    expect(bytes.toString()).not.toMatch(/gone@to\.test|hidden@to\.test|^bcc:/im);
  });

  it('shows the future message before it is sent', async () => {
    const id = await post(host, TO, { scheduled_at: 'in 3 seconds', html: '<p>Later</p>', attachments: [PDF] });
    const { bytes } = await sourceOf(id);
    expect(printOf(bytes)).toEqual(printOf((await sent(id)).raw));
  });

  it('answers HEAD without the message', async () => {
    const id = await post(host, TO, { attachments: [PDF] });
    const { status, headers, bytes } = await sourceOf(id, { method: 'HEAD' });
    expect({ status, size: bytes.length }).toEqual({ status: 200, size: 0 });
    expect(headers).toMatchObject({ 'content-type': 'message/rfc822' });
    expect((await sourceOf(NOBODY, { method: 'HEAD' })).status).toBe(404);
  });

  it.each<[number, string, () => Promise<RequestOptions & { id: string }>]>([
    [404, 'not_found', async () => ({ id: NOBODY })],
    [422, 'invalid_parameter', async () => ({ id: 'no-uuid' })],
    [401, 'missing_api_key', async () => ({ id: NOBODY, token: null })],
    [404, 'not_found', async () => ({ id: await post(host, TO), token: (await host.account('other')).token })],
    [
      401,
      'restricted_api_key',
      async () => {
        const body = { name: 'sends', permission: 'sending_access' };
        const { token } = (await host.request<{ token: string }>('POST', '/api-keys', { body })).body;
        return { id: await post(host, TO), token };
      },
    ],
  ])('refuses with %d %s a caller without such an email', async (status, name, asked) => {
    const { id, ...options } = await asked();
    expect(await host.request('GET', `/emails/${id}/source`, options)).toMatchObject({ status, body: { name } });
  });

  it('reports that the content is no longer kept', async () => {
    const kept = await startHost({ smtp: sink, env: { SMTP_HOP: 'final', RETENTION_CONTENT: '1ms' } });
    const id = await post(kept, TO, { attachments: [PDF] });
    await untilShown(kept, id, 'delivered');
    await kept.restart();
    const answer = await until(async () => {
      const asked = await kept.request('GET', `/emails/${id}/source`);
      return asked.status !== 200 && asked;
    });
    expect(answer).toMatchObject({ status: 422, body: { name: 'validation_error', message: /no content/ } });
  });

  describe('to those who do not read', () => {
    /** Bytes until it ends, whole or cut off. */
    async function restOf(socket: Socket): Promise<number> {
      let size = 0;
      socket
        .on('error', () => {})
        .on('data', (piece) => {
          size += piece.length;
          // A complete answer ends with the text, and the connection stays.
          if (size > MUCH) socket.destroy();
        });
      await once(socket, 'close');
      return size;
    }

    async function askWithoutReading(id: string): Promise<Socket> {
      const socket = await connectTo(host.url);
      socket.pause();
      socket.write(`GET /emails/${id}/source HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${host.token}\r\n\r\n`);
      await once(socket, 'readable');
      return socket;
    }

    it('uses little memory and no connection to the database, and delays no other', async () => {
      const file = { filename: 'a.bin', content: randomFile(READERS.file).toString('base64') };
      const id = await post(host, TO, { attachments: [file] });
      await untilShown(host, id, 'delivered');
      await host.restart();
      const before = megabytesOf(host.pid);
      const sockets = await Promise.all(Array.from({ length: READERS.count }, () => askWithoutReading(id)));
      expect((await host.request('GET', '/emails?limit=1')).status).toBe(200);
      await until(async () => {
        const [row] = await host.query<{ busy: number }>(
          `SELECT count(*)::int AS busy FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'nestjs-emails-host' AND state <> 'idle'`,
        );
        return row?.busy === 0;
      });
      expect(megabytesOf(host.pid) - before).toBeLessThan(READERS.megabytes);
      for (const socket of sockets) socket.destroy();
    });

    it('it is cut off once another request waits for its memory', async () => {
      const id = await post(host, TO, { text: 'x'.repeat(MUCH) });
      const sockets = await Promise.all([askWithoutReading(id), askWithoutReading(id)]);
      const { status, bytes } = await sourceOf(id);
      expect({ status, size: bytes.length }).toEqual({ status: 200, size: (await sent(id)).raw.length });
      const sizes = await Promise.all(sockets.map(async (socket) => (await restOf(socket)) < MUCH));
      expect(sizes).toContain(true);
    });
  });
});
