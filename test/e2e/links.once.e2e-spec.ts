import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { eventually } from '../support/basics/wait-for.js';
import { prepareHost, type RunningHost, startHost } from '../support/hosts/host.js';
import { everyByte, printOf, randomFile } from '../support/reading/files.js';
import { megabytesOf } from '../support/reading/process-memory.js';
import { httpRequest, type RequestOptions } from '../support/requests/http-request.js';
import { connectTo } from '../support/requests/raw-connection.js';
import { RawRequest } from '../support/requests/raw-request.js';

const OLD = 'old-'.repeat(10);
const NEW = 'new-'.repeat(10);

/** In bytes and megabytes: the connections themselves buffer up to 6 MB each of the requested data. */
const READERS = { file: 24_000_000, count: 25, megabytes: 150 };

interface Attachment {
  id: string;
  filename: string | null;
  size: number;
  content_type: string;
  content_disposition: string;
  content_id: string | null;
  download_url: string;
  expires_at: string;
}
interface List {
  object: string;
  has_more: boolean;
  data: Attachment[];
}

/** Contract, section 3.3: the attachments of a sent email, and public links. */
describe('links', () => {
  let host: RunningHost;
  /** The key of another account. */
  let token: string;

  beforeAll(async () => {
    host = await prepareHost();
    Object.assign(host.env, { SECRET_KEY: OLD, PUBLIC_URL: host.url });
    await host.start();
    ({ token } = await host.account('other'));
  });

  async function send(attachments: object[], more: object = {}, options: RequestOptions = {}): Promise<string> {
    const body = {
      from: 'Ann <a@from.test>',
      to: 'b@to.test',
      subject: 'Files',
      text: 'See them.',
      attachments,
      ...more,
    };
    const answer = await host.request<{ id: string }>('POST', '/emails', { body, ...options });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body.id;
  }

  async function attachmentsOf(id: string): Promise<Attachment[]> {
    return (await host.request<List>('GET', `/emails/${id}/attachments`)).body.data;
  }

  /** Returns the link to a file with these bytes. */
  async function linkTo(content: Buffer, more: object = {}): Promise<string> {
    const [file] = await attachmentsOf(
      await send([{ filename: 'a.bin', content: content.toString('base64'), ...more }]),
    );
    return file?.download_url ?? '';
  }

  const pathOf = (url: string) => url.slice(host.url.length);
  const follow = (url: string, options: RequestOptions = {}, method = 'GET') =>
    host.request(method, pathOf(url), { token: null, ...options });
  const shared = async (id: string, body?: object) =>
    (await host.request<{ url: string }>('POST', `/emails/${id}/share`, { body })).body.url;

  /** The file, in bytes. */
  async function download(url: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await fetch(url, { method, headers, redirect: 'error' });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      bytes: Buffer.from(await answer.arrayBuffer()),
    };
  }

  describe('attachments', () => {
    it('are listed in the order in which they were given, with every field', async () => {
      const id = await send([
        { filename: 'a.pdf', content: 'YWJj' },
        { content_type: 'image/png', content_id: 'logo', content: 'YWI=' },
      ]);
      const { status, body } = await host.request<List>('GET', `/emails/${id}/attachments`);
      const each = {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        download_url: expect.stringMatching(new RegExp(`^${host.url}/files/[\\w-]{12}/[\\w-]{80}$`)),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      };
      const [first, second] = [
        {
          filename: 'a.pdf',
          size: 3,
          content_type: 'application/pdf',
          content_disposition: 'attachment',
          content_id: null,
        },
        { filename: null, size: 2, content_type: 'image/png', content_disposition: 'inline', content_id: 'logo' },
      ];
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          object: 'list',
          has_more: false,
          data: [
            { ...each, ...first },
            { ...each, ...second },
          ],
        },
      });
      const one = await host.request<Attachment>('GET', `/emails/${id}/attachments/${body.data[1]?.id}`);
      expect(one.body).toEqual({ object: 'attachment', ...each, ...second, id: body.data[1]?.id });
      const hour = Date.parse(body.data[0]?.expires_at ?? '') - Date.now();
      expect(hour).toBeLessThanOrEqual(3_600_000);
      expect(hour).toBeGreaterThan(3_000_000);
    });

    it('are paged', async () => {
      const id = await send(['a', 'b', 'c'].map((name) => ({ filename: `${name}.txt`, content: 'YWJj' })));
      const [a, b, c] = (await attachmentsOf(id)).map((one) => one.id);
      const page = async (query: string) => {
        const { body } = await host.request<List>('GET', `/emails/${id}/attachments?${query}`);
        return [body.data.map((one) => one.id), body.has_more];
      };
      expect(await page('limit=2')).toEqual([[a, b], true]);
      expect(await page(`limit=2&after=${b}`)).toEqual([[c], false]);
      expect(await page(`limit=1&before=${c}`)).toEqual([[b], true]);
      expect(await page(`before=${c}`)).toEqual([[a, b], false]);
      expect(await page(`after=${a?.toUpperCase()}`)).toEqual([[b, c], false]);
    });

    it('of an email without any are an empty list, and so are cleared ones, whose links end', async () => {
      expect(await attachmentsOf(await send([]))).toEqual([]);
      const id = await send([{ filename: 'a.txt', content: 'YWJj' }]);
      const [{ download_url: url = '', id: attachment = '' } = {}] = await attachmentsOf(id);
      await host.query('DELETE FROM nestjs_emails.attachments WHERE email_id = $1', [id]);
      expect(await attachmentsOf(id)).toEqual([]);
      expect(await follow(url)).toMatchObject({ status: 403 });
      expect(await host.request('GET', `/emails/${id}/attachments/${attachment}`)).toMatchObject({ status: 404 });
    });

    it('are shown to their account alone, and to callers that may read', async () => {
      const id = await send([{ filename: 'a.txt', content: 'YWJj' }]);
      const [{ id: attachment = '' } = {}] = await attachmentsOf(id);
      const absent = await send([{ filename: 'b.txt', content: 'YWJj' }]);
      const key = { name: 'sender', permission: 'sending_access' };
      const sender = (await host.request<{ token: string }>('POST', '/api-keys', { body: key })).body.token;
      const paths = ['attachments', `attachments/${attachment}`, 'share'].map((path) => `/emails/${id}/${path}`);
      for (const path of paths) {
        const method = path.endsWith('share') ? 'POST' : 'GET';
        expect(await host.request(method, path, { token })).toMatchObject({
          status: 404,
          body: { name: 'not_found', message: 'Email not found' },
        });
        expect(await host.request(method, path, { token: sender })).toMatchObject({ status: 401 });
        expect(await host.request(method, path, { token: null })).toMatchObject({ status: 401 });
        const malformed = await host.request(method, path.replace(id, 'x'));
        expect(malformed).toMatchObject({ status: 422, body: { name: 'invalid_parameter' } });
      }
      const wrong: [string, number, string][] = [
        [`/emails/${absent}/attachments/${attachment}`, 404, 'Attachment not found'],
        [`/emails/${id}/attachments/${randomUUID()}`, 404, 'Attachment not found'],
        [`/emails/${id}/attachments/1`, 422, 'The `id` must be a valid UUID.'],
        [`/emails/${id}/attachments?after=${randomUUID()}`, 422, '`after` must be the id of an object in this list.'],
        [`/emails/${id}/attachments?limit=0`, 422, '`limit` must be a whole number from 1 to 100 in plain digits.'],
        [`/emails/${randomUUID()}/attachments?after=${attachment}`, 404, 'Email not found'],
      ];
      for (const [path, status, message] of wrong) {
        expect(await host.request('GET', path)).toMatchObject({ status, body: { message } });
      }
    });
  });

  describe('of an attachment', () => {
    it('serve its bytes as a download, which a browser does not render', async () => {
      const content = Buffer.concat([everyByte(), Buffer.from('<script>alert(1)</script>')]);
      const url = await linkTo(content, { filename: 'page.html', content_type: 'text/html' });
      const { status, headers, bytes } = await download(url);
      expect(status).toBe(200);
      expect(bytes).toEqual(content);
      expect(headers).toMatchObject({
        'content-type': 'text/html',
        'content-length': String(content.length),
        'content-disposition': 'attachment; filename=page.html',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store, no-transform',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'accept-ranges': 'bytes',
      });
      for (const name of ['location', 'set-cookie', 'etag', 'last-modified']) expect(headers).not.toHaveProperty(name);
    });

    it.each([
      ['Ünïcödé 漢字 😀.pdf', /^attachment; filename="\?n\?c\?d\? .*\.pdf"; filename\*=UTF-8''%C3%9Cn%C3%AFc/],
      ['"; filename=evil.exe; x="', /^attachment; filename="\\"; filename=evil\.exe; x=\\""$/],
      ["100%41 'x'*.txt", /filename\*=UTF-8''100%2541%20%27x%27%2A\.txt$/],
      [undefined, /^attachment; filename=attachment$/],
    ])('are saved under the name %s', async (filename, expected) => {
      const more = { filename, content_type: 'application/pdf' };
      const { status, headers } = await download(await linkTo(Buffer.from('abc'), more));
      expect(status).toBe(200);
      expect(headers['content-disposition']).toMatch(expected);
    });

    it('serve parts of it, across its stored slices', async () => {
      const content = randomFile(2_500_003);
      const url = await linkTo(content);
      for (const [start, end] of [
        [0, 2_500_002],
        [999_999, 1_000_000],
        [249_999, 1_750_001],
      ] as const) {
        const { status, headers, bytes } = await download(url, { range: `bytes=${start}-${end}` });
        expect({ status, of: headers['content-range'], print: printOf(bytes) }).toEqual({
          status: 206,
          of: `bytes ${start}-${end}/2500003`,
          print: printOf(content.subarray(start, end + 1)),
        });
      }
      expect((await download(url, { range: 'bytes=-3' })).bytes).toEqual(content.subarray(-3));
    });

    it('serve all of it for an invalid range, and report an unsatisfiable one', async () => {
      const url = await linkTo(Buffer.from('abcdef'));
      const range = 'bytes=0-1,3-4';
      expect(await download(url, { range })).toMatchObject({ status: 200, bytes: Buffer.from('abcdef') });
      const answer = await follow(url, { headers: { range: 'bytes=6-' } });
      expect(answer).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */6' } });
      expect(answer.body).toMatchObject({ statusCode: 416, name: 'validation_error' });
    });

    it('ignore conditions, since they have no validators', async () => {
      const url = await linkTo(Buffer.from('abcdef'));
      const headers: Record<string, string>[] = [
        { 'if-none-match': '*' },
        { 'if-match': '"x"' },
        { 'if-modified-since': new Date().toUTCString() },
        { 'if-unmodified-since': new Date(0).toUTCString() },
        { 'if-range': '"x"', range: 'bytes=1-2' },
      ];
      for (const each of headers) {
        expect(await download(url, each)).toMatchObject({ status: 200, bytes: Buffer.from('abcdef') });
      }
    });

    it('serve an empty file, and answer HEAD like GET', async () => {
      const empty = await linkTo(Buffer.alloc(0), { content: { type: 'Buffer', data: [] } });
      expect(await download(empty)).toMatchObject({
        status: 200,
        bytes: Buffer.alloc(0),
        headers: { 'content-length': '0' },
      });
      const url = await linkTo(Buffer.from('abcdef'));
      const [head, get] = [await download(url, { range: 'bytes=1-2' }, 'HEAD'), await download(url)];
      for (const { headers } of [head, get]) {
        for (const name of ['date', 'x-request-id', 'connection', 'keep-alive']) delete headers[name];
      }
      expect(head).toEqual({ ...get, bytes: Buffer.alloc(0) });
    });

    it('accept no other method, and read no body', async () => {
      const path = pathOf(await linkTo(Buffer.from('abcdef')));
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await host.request(method, path, { token: null });
        expect(answer).toMatchObject({
          status: 405,
          headers: { allow: 'GET, HEAD' },
          body: { name: 'method_not_allowed' },
        });
      }
      for (const [line, status] of [
        [`GET ${path}`, 200],
        [`GET ${path}x`, 403],
        [`POST ${path}`, 405],
      ] as const) {
        const lines = [`${line} HTTP/1.1`, 'Content-Type: application/json', 'Content-Length: 100000000'];
        const request = await RawRequest.open(host.url, ...lines);
        expect(await request.answer()).toMatchObject({
          status,
          head: expect.stringMatching(/^connection: close\r?$/im),
        });
        await request.end();
      }
    });
  });

  describe('that are invalid', () => {
    it('get one answer, the same in bytes and headers, without a query', async () => {
      const url = await linkTo(Buffer.from('abcdef'));
      const [, kid = '', own = ''] = /files\/(.+)\/(.+)$/.exec(url) ?? [];
      const id = await send([{ filename: 'x.txt', content: 'YWJj' }], {}, { token });
      const { body } = await host.request<List>('GET', `/emails/${id}/attachments`, { token });
      const theirs = Buffer.from(body.data[0]?.download_url.split('/').at(-1) ?? '', 'base64url');
      const ours = Buffer.from(own, 'base64url');
      const signedBy = (key: string) => createHmac('sha256', key).update(ours.subarray(0, 44)).digest().subarray(0, 16);
      const tokens = [
        own.slice(0, -1),
        own.slice(0, 10),
        `${own}A`,
        own.slice(0, -1) + (own.endsWith('A') ? 'B' : 'A'),
        ...[
          [theirs.subarray(0, 44), ours.subarray(44)],
          [ours.subarray(0, 44), theirs.subarray(44)],
          [ours.subarray(0, 44), signedBy(OLD)],
          [randomBytes(60)],
        ].map((bytes) => Buffer.concat(bytes).toString('base64url')),
        'x',
        '%00',
        '%F0%9F%98%80',
      ].map((text) => `/files/${kid}/${text}`);
      const answers = new Set<string>();
      const ask = async (path: string) => {
        const answer = await host.request('GET', path, { token: null });
        const { date, 'x-request-id': requestId, ...headers } = answer.headers;
        answers.add(JSON.stringify([answer.status, headers, answer.text]));
      };
      const locking = new pg.Client(host.databaseUrl);
      await locking.connect();
      await locking.query('BEGIN; LOCK TABLE nestjs_emails.emails, nestjs_emails.attachments');
      for (const path of [...tokens, `/files/other/${own}`, `/files/${kid}x/${own}`]) await ask(path);
      await locking.end();
      // The link of a deleted email.
      await host.query('DELETE FROM nestjs_emails.emails WHERE id = $1', [id]);
      await ask(`/files/${kid}/${theirs.toString('base64url')}`);
      expect([...answers]).toEqual([expect.stringMatching(/^\[403,.*"name\\":\\"invalid_access/)]);
    });

    it('are in no log, like all others', async () => {
      const url = await linkTo(Buffer.from('abcdef'));
      const token = url.split('/').at(-1) ?? '';
      await follow(url);
      await follow(`${url}x`);
      await host.request('DELETE', pathOf(url), { token: null });
      await host.request('GET', `//files/${token}`, { token: null });
      await host.request('GET', `/${token}`, { token: null });
      await host.request('GET', `${pathOf(url)}/%zz`, { token: null });
      await host.request('GET', `${pathOf(url)}/more`, { token: null });
      await eventually(() => expect(host.output).toContain('"path":"/files/:kid/:token"'));
      expect(host.output).not.toContain(token.slice(0, 40));
      expect(host.output).not.toContain(OLD);
    });
  });

  describe('of other processes', () => {
    let beside: RunningHost;

    beforeAll(async () => {
      const env = { SECRET_KEY: `${NEW}, ${OLD}`, PUBLIC_URL: undefined };
      beside = await startHost({ beside: host, role: 'api', env });
    });

    it('work with the same secret, and use the listening address without another one', async () => {
      const id = await send([{ filename: 'a.txt', content: 'YWJj' }]);
      const ours = (await attachmentsOf(id))[0]?.download_url ?? '';
      expect(await httpRequest(beside.url, 'GET', pathOf(ours))).toMatchObject({ status: 200, text: 'abc' });
      const options = { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } };
      const { body } = await beside.request<List>('GET', `/emails/${id}/attachments`, options);
      const theirs = body.data[0]?.download_url ?? '';
      expect(theirs.startsWith(`${beside.url}/files/`)).toBe(true);
      expect(await download(theirs)).toMatchObject({ status: 200 });
      // We do not know the new secret.
      expect(await httpRequest(host.url, 'GET', theirs.slice(beside.url.length))).toMatchObject({ status: 403 });
      expect(beside.output).toMatch(/`publicUrl` \(`PUBLIC_URL`\) is not set/);
      expect(host.output).not.toContain('is not set');
    });

    it('are refused by processes without a secret, which say so at the start', async () => {
      const id = await send([{ filename: 'a.txt', content: 'YWJj' }]);
      const without = await startHost({ beside: host, role: 'api', env: { SECRET_KEY: undefined } });
      const webhook = { endpoint: 'https://hooks.example.com', events: ['email.sent'] };
      for (const [method, path, body] of [
        ['GET', `/emails/${id}/attachments`],
        ['POST', `/emails/${id}/share`],
        ['POST', '/webhooks', webhook],
      ] as const) {
        const answer = await without.request(method, path, { body });
        const message = expect.stringContaining('has no secret key');
        expect(answer).toMatchObject({ status: 422, body: { name: 'validation_error', message } });
      }
      expect(without.output).toContain('SECRET_KEY is not set: links to attachments');
    });

    it('of a shared email work also when their key is no longer the first', async () => {
      const url = await shared(await send([], { html: '<p>Hi</p>' }));
      const page = await httpRequest<string>(beside.url, 'GET', pathOf(url));
      expect(page.status).toBe(200);
      const [, frame = ''] = /src="([^"]+)"/.exec(page.text) ?? [];
      const { pathname } = new URL(frame, `${beside.url}${pathOf(url)}`);
      expect(await httpRequest(beside.url, 'GET', pathname)).toMatchObject({
        status: 200,
        text: expect.stringContaining('<p>Hi</p>'),
      });
    });
  });

  describe('of a shared email', () => {
    const HOSTILE = '<script>alert(1)</script><img src="https://evil.test/x.png">';

    it('show it on a page that runs nothing, its html in a frame without an origin', async () => {
      const attachments = [{ filename: 'logo.png', content_id: 'logo', content: 'YWJj' }];
      const id = await send(attachments, {
        subject: `"Hi" ${HOSTILE}`,
        cc: 'Cc <c@to.test>',
        bcc: 'secret@to.test',
        html: `<!doctype html>${HOSTILE}<img src="cid:logo"><img src="CID:none">`,
      });
      const url = await shared(id);
      const page = await follow(url);
      expect(page).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': expect.stringMatching(
            /^default-src 'none'; style-src 'sha256-[^']+'; frame-src 'self';/,
          ),
          'cache-control': 'no-store, no-transform',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
          'x-content-type-options': 'nosniff',
        },
      });
      expect(page.text).toContain('&quot;Hi&quot; &lt;script&gt;');
      expect(page.text).toContain('Ann &lt;a@from.test&gt;');
      for (const hidden of ['<script', 'secret@to.test', HOSTILE]) expect(page.text).not.toContain(hidden);
      const [, src = ''] = /<iframe title="Content" sandbox="[^"]*" src="([^"]+)"/.exec(page.text) ?? [];
      const frame = await follow(new URL(src, url).href);
      expect(frame.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: ${host.url}/files/; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
      });
      const [, logo = ''] = /<img src="(http:[^"]+)">/.exec(frame.text) ?? [];
      expect(await download(logo)).toMatchObject({
        bytes: Buffer.from('abc'),
        headers: { 'cross-origin-resource-policy': 'cross-origin' },
      });
      expect(frame.text).toContain('<img src="CID:none">');
    });

    it('show text as text, and report deleted content', async () => {
      const url = await shared(await send([], { text: HOSTILE }));
      const [, src = ''] = /src="([^"]+)"/.exec((await follow(url)).text) ?? [];
      const frame = await follow(new URL(src, url).href);
      expect(frame).toMatchObject({ text: HOSTILE, headers: { 'content-type': 'text/plain; charset=utf-8' } });
      const none = await follow(await shared(await send([], { text: '', html: undefined })));
      expect(none.status).toBe(200);
    });

    it.each([[{ expires_in: '10m' }], [{ expires_in: '2 hours' }], [{ expires_in: '1 day' }], [{}], [undefined]])(
      'may be made with %j',
      async (body) => {
        const id = await send([]);
        const answer = await host.request('POST', `/emails/${id}/share`, { body });
        const url = expect.stringMatching(new RegExp(`^${host.url}/files/[\\w-]{12}/[\\w-]{80}$`));
        expect(answer).toMatchObject({ status: 200, body: { object: 'email', id, url } });
      },
    );

    it.each([
      [{ expires_in: '49 hours' }],
      [{ expires_in: '3 days' }],
      [{ expires_in: '0m' }],
      [{ expires_in: '-1h' }],
      [{ expires_in: 'soon' }],
      [{ expires_in: 10 }],
      [{ expiresIn: '10m' }],
    ])('may not be made with %j', async (body) => {
      const answer = await host.request('POST', `/emails/${await send([])}/share`, { body });
      expect(answer).toMatchObject({ status: 422, body: { name: 'validation_error' } });
    });
  });

  it('to a large file with stalled readers hold little memory and no database connection, and delay none', async () => {
    const url = await linkTo(randomFile(READERS.file));
    // Memory used for reading the request does not count.
    await host.restart();
    const before = megabytesOf(host.pid);
    const sockets: Socket[] = await Promise.all(Array.from({ length: READERS.count }, () => connectTo(host.url)));
    for (const socket of sockets) socket.write(`GET ${pathOf(url)} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    expect((await host.request('GET', '/emails?limit=1')).status).toBe(200);
    await eventually(async () => {
      const [row] = await host.query(
        `SELECT count(*)::int AS busy FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'nestjs-emails-host' AND state <> 'idle'`,
      );
      expect(row).toEqual({ busy: 0 });
    });
    expect(megabytesOf(host.pid) - before).toBeLessThan(READERS.megabytes);
    for (const socket of sockets) socket.destroy();
    expect(await download(url, { range: 'bytes=-1000' })).toMatchObject({ status: 206 });
  });
});
