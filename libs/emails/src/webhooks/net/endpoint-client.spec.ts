import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { jest } from '@jest/globals';
import { EXPIRED, MISNAMED, TEST_CERTIFICATE, TEST_KEY } from '../../shared/net/certificate.spec-tools.js';
import type { CallMessage } from './endpoint-call.js';
import { type Call, EndpointClient, type EndpointClientOptions } from './endpoint-client.js';

/** Time after which no action of a call itself can be pending. Milliseconds. */
const NEVER = 3_600_000;
const OK = 'HTTP/1.1 200 OK\r\n';

/** A call of an owner with this message. */
const carrying = (message: CallMessage, owner = 'one'): Call => ({ owner, message: async () => message });
const EMPTY = carrying({ headers: {}, body: '' });

describe('EndpointClient', () => {
  const servers: TcpServer[] = [];
  const clients: EndpointClient[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  async function listen(server: TcpServer): Promise<number> {
    server.on('connection', (socket: Socket) => {
      connections++;
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  const serve = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}/`;
  /** Runs a script on each connection after the first part of a request. */
  const serveRaw = async (answer: (socket: Socket) => void) =>
    `http://127.0.0.1:${await listen(createTcpServer((socket) => socket.once('data', () => answer(socket))))}/`;

  function client(options: EndpointClientOptions = {}): EndpointClient {
    const patient = { allowPrivate: ['127.0.0.0/8'], timeout: NEVER, connectTimeout: NEVER };
    const made = new EndpointClient({ ...patient, ...options });
    clients.push(made);
    return made;
  }

  const call = (url: string, options: EndpointClientOptions = {}) =>
    client(options).post(url, carrying({ headers: {}, body: '{}' }));
  const raw = async (...pieces: string[]) => call(await serveRaw((socket) => void socket.end(pieces.join(''))));

  /** Until the other side has seen the end of every connection. */
  const allClosed = () =>
    Promise.all(Array.from(sockets, (socket) => new Promise((resolve) => socket.resume().once('close', resolve))));

  beforeEach(() => {
    connections = 0;
  });

  afterEach(async () => {
    for (const made of clients.splice(0)) made.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  describe('asks', () => {
    it('with the bytes and headers it was given, no cookies, and its own name', async () => {
      let seen: unknown;
      const url = await serve((request, response) => {
        const chunks: Buffer[] = [];
        request
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            seen = { ...request.headers, method: request.method, url: request.url, body: `${Buffer.concat(chunks)}` };
            response.writeHead(201, { 'set-cookie': 'a=b', 'retry-after': '7' }).end('thanks');
          });
      });
      const ours = client();
      const answer = await ours.post(`${url}a?b`, carrying({ headers: { 'svix-id': 'msg_1' }, body: '{"ü":1}' }));
      expect(answer).toEqual({ status: 201, retryAfter: 7_000, body: 'thanks', duration: expect.any(Number) });
      await ours.post(`${url}a?b`, carrying({ headers: { 'svix-id': 'msg_1' }, body: '{"ü":1}' }));
      expect(seen).toEqual({
        ...{ method: 'POST', url: '/a?b', body: '{"ü":1}', host: new URL(url).host, connection: 'keep-alive' },
        ...{ 'svix-id': 'msg_1', accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'nestjs-emails' },
        'content-length': '8',
      });
    });

    it('returns a redirect as an answer', async () => {
      const url = await serve((_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
      expect((await call(url))?.status).toBe(307);
    });

    it('ignores proxies of the environment', async () => {
      process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
      try {
        expect((await call(await serve((_request, response) => response.end())))?.status).toBe(200);
      } finally {
        delete process.env.HTTP_PROXY;
        delete process.env.http_proxy;
      }
    });
  });

  describe('asks for the message', () => {
    it('when it has a connection, sends it at once, and does not count the time for it', async () => {
      const url = await serve((_request, response) => response.end('x'));
      let held = 0;
      const message = async () => {
        const asked = performance.now();
        while (connections === 0) await new Promise(setImmediate);
        await new Promise((resolve) => setTimeout(resolve, 1_200));
        held = performance.now() - asked;
        return { headers: {}, body: '' };
      };
      const limited = client({ timeout: 1_000, connectTimeout: 1_000 });
      const begun = performance.now();
      const answer = await limited.post(url, { owner: 'one', message });
      expect(answer?.body).toBe('x');
      expect(answer?.duration).toBeLessThanOrEqual(performance.now() - begun - held);
    });

    it('and sends nothing when it is empty or fails', async () => {
      let asked = 0;
      const url = await serve((_request, response) => {
        asked++;
        response.end();
      });
      const ours = client();
      expect(await ours.post(url, { owner: 'one', message: async () => undefined })).toBeUndefined();
      const failed = new Error('away');
      await expect(ours.post(url, { owner: 'one', message: () => Promise.reject(failed) })).rejects.toBe(failed);
      await allClosed();
      expect([asked, connections]).toEqual([0, 2]);
    });

    it('but not without a connection', async () => {
      const url = await serve(() => {});
      await new Promise((resolve) => servers.pop()?.close(resolve));
      const message = jest.fn(async () => undefined);
      await expect(client().post(url, { owner: 'one', message })).rejects.toMatchObject({
        reason: 'connection refused',
      });
      expect(message).not.toHaveBeenCalled();
    });
  });

  describe('refuses', () => {
    const untouched = { reason: 'address not allowed', message: 'The call failed: address not allowed.' };

    it.each([
      'http://127.0.0.1:PORT/',
      'https://127.0.0.1:PORT/',
      'https://2130706433:PORT/',
      'https://localhost:PORT/',
    ])('%s, with no connection', async (template) => {
      const url = await serve((_request, response) => response.end());
      const target = template.replace('PORT', new URL(url).port);
      await expect(call(target, { allowPrivate: [] })).rejects.toMatchObject(untouched);
      expect(connections).toBe(0);
    });

    it.each(['https', 'http'])('a name that stands for a private address (%s)', async (scheme) => {
      const { port } = new URL(await serve((_request, response) => response.end()));
      const resolve = async () => ['127.0.0.1'];
      const url = `${scheme}://receiver.test:${port}/`;
      await expect(call(url, { allowPrivate: ['10.0.0.0/8'], resolve })).rejects.toMatchObject(untouched);
      expect(connections).toBe(0);
    });

    it('a name that changes at the next lookup, and looks up once per connection', async () => {
      const { port } = new URL(await serve((_request, response) => response.setHeader('connection', 'close').end()));
      const answers = [['127.0.0.1'], ['10.0.0.1']];
      const ours = client({ allowPrivate: ['127.0.0.0/8'], resolve: async () => answers.shift() ?? [] });
      const post = () => ours.post(`http://receiver.test:${port}/`, EMPTY);
      expect((await post())?.status).toBe(200);
      expect(answers).toHaveLength(1);
      await expect(post()).rejects.toMatchObject(untouched);
      expect(connections).toBe(1);
    });

    it('reports a name without addresses', async () => {
      const resolve = async () => [];
      await expect(call('https://receiver.test/', { resolve })).rejects.toMatchObject({ reason: 'dns' });
      const away = () => Promise.reject(new Error('10.0.0.53 does not answer'));
      await expect(call('https://receiver.test/', { resolve: away })).rejects.toMatchObject({
        ...{ reason: 'dns', message: 'The call failed: dns.' },
      });
    });
  });

  describe('keeps connections', () => {
    it('one for calls that follow each other, as many as calls at once', async () => {
      const url = await serve((_request, response) => response.end('x'));
      const ours = client();
      const post = () => ours.post(url, EMPTY);
      for (let count = 0; count < 5; count++) await post();
      expect(connections).toBe(1);
      await Promise.all(Array.from({ length: 30 }, post));
      expect(connections).toBeLessThanOrEqual(30);
      // Ten of them, idle, are enough.
      while (sockets.size > 10) await Promise.race(Array.from(sockets, (socket) => once(socket, 'close')));
      ours.close();
      await allClosed();
    });

    it.each([
      ['that say so', 'connection: close\r\ncontent-length: 0\r\n\r\n'],
      ['that may be closed at any moment', 'keep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n'],
      ['whose body is not read to its end', `content-length: 10000000\r\n\r\n${'x'.repeat(20_000)}`],
    ])('but none %s', async (_what, rest) => {
      const url = await serveRaw((socket) => socket.write(OK + rest));
      expect((await call(url))?.status).toBe(200);
      await allClosed();
    });

    it('but none on which an answer came before its request', async () => {
      const url = await serveRaw((socket) =>
        socket.write(`${OK}content-length: 0\r\n\r\n${OK}content-length: 0\r\n\r\n`),
      );
      await call(url).catch(() => undefined);
      await allClosed();
    });

    it('but none on which unsolicited data comes', async () => {
      const url = await serveRaw((socket) => trickle(socket, `${OK}content-length: 0\r\n\r\n`, 'x'.repeat(10_000)));
      expect((await call(url))?.status).toBe(200);
      await allClosed();
    });

    it('but none for longer than a minute, since a name may move', async () => {
      const url = await serve((_request, response) => response.end());
      const ours = client();
      const post = () => ours.post(url, EMPTY);
      await post();
      const now = performance.now();
      const passed = jest.spyOn(performance, 'now').mockImplementation(() => now + 61_000);
      await post();
      passed.mockRestore();
      await allClosed();
      await post();
      expect(connections).toBe(2);
    });

    it('for each owner separately, so that a late second answer reaches no other owner', async () => {
      const answer = (body: string) => `${OK}content-length: ${body.length}\r\n\r\n${body}`;
      const port = await listen(
        createTcpServer((socket) => {
          let asked = 0;
          // As late as the next request.
          socket.on('data', () => void socket.write(++asked === 1 ? answer('first') : answer('second')));
        }),
      );
      const ours = client();
      for (const owner of ['one', 'two', 'three']) {
        const call = carrying({ headers: {}, body: '' }, owner);
        expect((await ours.post(`http://127.0.0.1:${port}/`, call))?.body).toBe('first');
      }
      expect(connections).toBe(3);
    });

    it.each([
      ['a second answer', `${OK}content-length: 5\r\n\r\nlater`],
      ['half of an answer', 'HTTP/1.1 200 O'],
      ['invalid bytes', 'x'],
    ])('but none on which %s came before the next call was sent', async (_what, unasked) => {
      const open: Socket[] = [];
      const port = await listen(
        createTcpServer((socket) => {
          open.push(socket);
          socket.on('data', () => void socket.write(`${OK}content-length: 2\r\n\r\n#${open.length}`));
        }),
      );
      const ours = client();
      const url = `http://127.0.0.1:${port}/`;
      await ours.post(url, EMPTY);
      let asked = 0;
      const message = async () => {
        // The connection is open, and nothing was sent on it yet.
        if (++asked === 1) {
          const closed = once(open[0] as Socket, 'close');
          open[0]?.write(unasked);
          await closed;
        }
        return { headers: {}, body: '' };
      };
      expect((await ours.post(url, { owner: 'one', message }))?.body).toBe('#2');
      expect([asked, connections]).toEqual([2, 2]);
    });

    it('but none that ended before the next call was sent', async () => {
      const open: Socket[] = [];
      const url = await serve((request, response) => {
        open.push(request.socket);
        response.end(`#${open.length}`);
      });
      const ours = client();
      await ours.post(url, EMPTY);
      const message = async () => {
        open[0]?.destroy();
        while (connections < 2) await new Promise(setImmediate);
        return { headers: {}, body: '' };
      };
      expect((await ours.post(url, { owner: 'one', message }))?.body).toBe('#2');
      expect(connections).toBe(2);
    });

    it('and does not repeat a call that failed on one of them', async () => {
      let asked = 0;
      const url = await serve((request, response) => {
        asked++;
        if (asked === 1) response.end();
        else request.socket.resetAndDestroy();
      });
      const ours = client();
      await ours.post(url, EMPTY);
      await expect(ours.post(url, EMPTY)).rejects.toMatchObject({ reason: 'connection reset' });
      expect(asked).toBe(2);
      expect(connections).toBe(1);
    });
  });

  describe('takes', () => {
    it.each([
      ['204', 'HTTP/1.1 204 No Content\r\n\r\n', 204, ''],
      ['304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n', 304, ''],
      ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n', 101, ''],
      ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nuntil the end', 200, 'until the end'],
      ['chunks', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n`, 200, 'ab'],
      ['some interim answers', `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(5)}${OK}content-length: 0\r\n\r\n`, 200, ''],
      ['text that PostgreSQL cannot store', `${OK}content-length: 3\r\n\r\na\0b`, 200, 'a\ufffdb'],
    ])('%s', async (_what, answer, status, body) => {
      expect(await raw(answer)).toMatchObject({ status, body });
      await allClosed();
    });

    it('invalid text', async () => {
      const url = await serve((_request, response) => response.end(Buffer.from([0x61, 0xff, 0xc3])));
      expect((await call(url))?.body).toBe('a\ufffd\ufffd');
    });

    it('the first 16 kB of an endless body, and reads no more', async () => {
      let written = 0;
      const url = await serveRaw((socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write('x'.repeat(10_000))) written += 10_000;
        };
        socket.write(`${OK}\r\n`);
        socket.on('drain', more);
        more();
      });
      expect((await call(url))?.body).toBe('x'.repeat(16_384));
      await allClosed();
      expect(written).toBeLessThan(50_000_000);
    });

    it('an answer that came before the body was read, and leaves nothing behind', async () => {
      const url = await serveRaw((socket) =>
        socket.pause().write(`${OK.replace('200', '413')}content-length: 0\r\n\r\n`),
      );
      const ours = client();
      const answer = await ours.post(url, carrying({ headers: {}, body: 'x'.repeat(30_000_000) }));
      expect(answer?.status).toBe(413);
      await allClosed();
    });
  });

  describe('gives up on', () => {
    it.each([
      ['answer too large', 'large headers', `${OK}a: ${'x'.repeat(100_000)}\r\n\r\n`],
      ['answer too large', 'many headers', `${OK}${'a: x\r\n'.repeat(16_000)}\r\n`],
      ['answer too large', 'a flood of interim answers', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(10_000)],
      ['answer too large', 'large extensions', `${OK}transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(100_000)}\r\nx`],
      ['invalid answer', 'another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
      ['invalid answer', 'invalid chunks', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`],
      ['invalid answer', 'two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
      ['connection reset', 'nothing', ''],
      ['connection reset', 'half of a head', 'HTTP/1.1 20'],
      ['connection reset', 'half of a body', `${OK}content-length: 10\r\n\r\nhalf`],
      ['connection reset', 'chunks without an end', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nab\r\n`],
    ])('%s: %s', async (reason, _what, answer) => {
      await expect(raw(answer)).rejects.toMatchObject({ reason });
      await allClosed();
    });

    it('connection reset: a reset', async () => {
      const url = await serveRaw((socket) => socket.resetAndDestroy());
      await expect(call(url)).rejects.toMatchObject({ reason: 'connection reset' });
    });

    it('connection refused', async () => {
      const url = await serve(() => {});
      await new Promise((resolve) => servers.pop()?.close(resolve));
      await expect(call(url)).rejects.toMatchObject({ reason: 'connection refused' });
    });

    it.each([
      ['silence', () => {}],
      ['headers that trickle', (socket: Socket) => trickle(socket, OK, 'a: b\r\n')],
      ['a body that trickles', (socket: Socket) => trickle(socket, `${OK}content-length: 10000\r\n\r\n`, 'x')],
      ['interim answers that trickle', (socket: Socket) => trickle(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
    ])('timeout: %s', async (_what, answer) => {
      const url = await serveRaw(answer);
      await expect(call(url, { timeout: 60 })).rejects.toMatchObject({ reason: 'timeout' });
      await allClosed();
    });

    it('timeout: a name that is not resolved in time', async () => {
      const resolve = () => new Promise<never>(() => {});
      const failed = call('https://receiver.test/', { resolve, connectTimeout: 60 });
      await expect(failed).rejects.toMatchObject({ reason: 'timeout' });
    });

    it('timeout: a connection without TLS in time', async () => {
      const url = (await serveRaw(() => {})).replace('http', 'https');
      await expect(call(url, { connectTimeout: 60 })).rejects.toMatchObject({ reason: 'timeout' });
      await allClosed();
    });

    it('a call that its caller aborts, at any moment', async () => {
      const url = await serveRaw((socket) =>
        socket.write(`${OK}content-length: 10\r\n\r\nab`, () => later.abort(reason)),
      );
      const reason = new Error('enough');
      const later = new AbortController();
      const ours = client();
      const post = (signal: AbortSignal) => ours.post(url, { ...EMPTY, signal });
      await expect(post(AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(connections).toBe(0);
      await expect(post(later.signal)).rejects.toBe(reason);
      await allClosed();
    });
  });

  describe('over TLS', () => {
    const serveSecured = async (listener: RequestListener, tls = { cert: TEST_CERTIFICATE, key: TEST_KEY }) =>
      new URL(`https://127.0.0.1:${await listen(createHttpsServer(tls, listener))}/`);

    it('trusts the given authority, by address and by name, and keeps connections', async () => {
      const url = await serveSecured((_request, response) => response.end('x'));
      const ours = client({ ca: TEST_CERTIFICATE, resolve: async () => ['127.0.0.1'] });
      for (const host of ['127.0.0.1', 'receiver.test', 'receiver.test']) {
        url.hostname = host;
        expect((await ours.post(url.href, EMPTY))?.status).toBe(200);
      }
      expect(connections).toBe(2);
    });

    it.each([
      ['no authority', '127.0.0.1', {}],
      ['another name', 'other.test', { ca: TEST_CERTIFICATE, resolve: async () => ['127.0.0.1'] }],
    ])('tls: %s', async (_what, host, options) => {
      const url = await serveSecured((_request, response) => response.end());
      url.hostname = host;
      await expect(call(url.href, options)).rejects.toMatchObject({ reason: 'tls', message: 'The call failed: tls.' });
    });

    it.each([
      ['a certificate that expired', EXPIRED],
      ['a certificate of another name', MISNAMED],
    ])('tls: %s, and sends nothing there', async (_what, tls) => {
      let asked = 0;
      const url = await serveSecured(() => asked++, tls);
      const message = jest.fn(async () => ({ headers: {}, body: 'secret' }));
      const failed = client({ ca: tls.cert }).post(url.href, { owner: 'one', message });
      await expect(failed).rejects.toMatchObject({ reason: 'tls' });
      expect([asked, message.mock.calls.length]).toEqual([0, 0]);
    });

    it.each([
      ['a server without it', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['one that hangs up', (socket: Socket) => void socket.end()],
      ['one that resets', (socket: Socket) => void socket.resetAndDestroy()],
    ])('tls: %s', async (_what, answer) => {
      const url = (await serveRaw(answer)).replace('http', 'https');
      await expect(call(url)).rejects.toMatchObject({ reason: 'tls' });
    });
  });
});

/** Writes the first piece, and then the second again and again. */
function trickle(socket: Socket, first: string, piece: string): void {
  socket.write(first || piece);
  const timer = setInterval(() => socket.write(piece), 15);
  socket.on('close', () => clearInterval(timer));
}
