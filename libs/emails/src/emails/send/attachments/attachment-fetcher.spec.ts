import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { ApiError } from '../../../shared/errors/api-error.js';
import { AttachmentFetcher, type AttachmentFetcherOptions } from './attachment-fetcher.js';

/** Time after which no action of a fetch itself can be pending. Milliseconds. */
const NEVER = 3_600_000;

const failure = ApiError.invalidAttachment('The `path` of an attachment could not be fetched.');

describe('AttachmentFetcher', () => {
  const open: TcpServer[] = [];
  const sockets = new Set<Socket>();

  async function listen<S extends TcpServer>(server: S, host = '127.0.0.1', port = 0): Promise<number> {
    server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    open.push(server);
    return (server.address() as AddressInfo).port;
  }

  async function serve(listener: RequestListener): Promise<{ url: string; host: string; server: Server }> {
    const server = createServer(listener);
    const port = await listen(server);
    return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, server };
  }

  /** Answers every request with raw bytes. */
  async function serveRaw(answer: (socket: Socket) => void): Promise<{ url: string; host: string }> {
    const server = createTcpServer((socket) => socket.once('data', () => answer(socket)));
    const port = await listen(server);
    return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` };
  }

  function fetcher(options: Partial<AttachmentFetcherOptions> = {}): AttachmentFetcher {
    return new AttachmentFetcher({
      ports: [80, 443],
      timeout: NEVER,
      maxBytes: 1_000_000,
      allowedHosts: [],
      ...options,
    });
  }

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  describe('from an allowed host', () => {
    it('returns the bytes, the name and the type', async () => {
      const bytes = randomBytes(700_000);
      const { url, host } = await serve((_request, response) =>
        response.setHeader('content-type', 'application/pdf').end(bytes),
      );
      const fetched = await fetcher({ allowedHosts: [host] }).fetch(`${url}/files/%C3%9Cbersicht%201.pdf?x=/y.txt#z`);
      expect(fetched).toEqual({
        content: expect.any(Buffer),
        filename: 'Übersicht 1.pdf',
        contentType: 'application/pdf',
      });
      expect(fetched.content.equals(bytes)).toBe(true);
    });

    it.each([
      ['/', undefined],
      ['/a%2F..%2Fb', undefined],
      ['/a%0d%0aX-Evil:1', undefined],
      ['/fdp%E2%80%AE.exe', undefined],
      ['/%FF', undefined],
      ['/..%5Cx', undefined],
      [`/${'a'.repeat(256)}`, undefined],
      ['/a+b.txt', 'a+b.txt'],
    ])('takes from %s the name %s', async (path, filename) => {
      const { url, host } = await serve((_request, response) => response.end('x'));
      expect((await fetcher({ allowedHosts: [host] }).fetch(url + path)).filename).toBe(filename);
    });

    it.each(['multipart/mixed; boundary=x', 'nonsense', 'text/html; charset=utf-8; x=y/z'])(
      'does not take the type %s',
      async (type) => {
        const { url, host } = await serve((_request, response) => response.setHeader('content-type', type).end('x'));
        expect(await fetcher({ allowedHosts: [host] }).fetch(url)).toEqual({ content: Buffer.from('x') });
      },
    );

    it('does not identify the caller, and asks for plain bytes', async () => {
      let headers = {};
      const { url, host } = await serve((request, response) => {
        headers = request.headers;
        response.setHeader('set-cookie', 'a=b').end('x');
      });
      await fetcher({ allowedHosts: [host] }).fetch(url);
      expect(headers).toEqual({
        host,
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'nestjs-emails',
        connection: 'close',
      });
    });

    it('follows three redirects, no more, and names the file by the last one', async () => {
      const { url, host } = await serve(({ url: path }, response) => {
        const hops: Record<string, string> = { '/start': '/0', '/0': '/1', '/1': '2', '/2': `http://${host}/end.txt` };
        const location = hops[path ?? ''];
        if (location) response.writeHead(302, { location }).end('elsewhere');
        else response.end('here');
      });
      expect(await fetcher({ allowedHosts: [host] }).fetch(`${url}/0`)).toEqual({
        content: Buffer.from('here'),
        filename: 'end.txt',
      });
      await expect(fetcher({ allowedHosts: [host] }).fetch(`${url}/start`)).rejects.toEqual(failure);
    });

    it('names the file by the first URL when the last has no name', async () => {
      const { url, host } = await serve(({ url: path }, response) =>
        path === '/a.txt' ? response.writeHead(307, { location: '/' }).end() : response.end('here'),
      );
      expect((await fetcher({ allowedHosts: [host] }).fetch(`${url}/a.txt`)).filename).toBe('a.txt');
    });

    it('reads up to the limit and no byte more', async () => {
      const { url, host } = await serve(({ url: path }, response) => {
        if (path === '/declared') response.setHeader('content-length', 1_000);
        response.write(Buffer.alloc(500));
        response.end(Buffer.alloc(500));
      });
      for (const path of ['/declared', '/streamed']) {
        expect((await fetcher({ allowedHosts: [host], maxBytes: 1_000 }).fetch(url + path)).content).toHaveLength(
          1_000,
        );
        await expect(fetcher({ allowedHosts: [host], maxBytes: 999 }).fetch(url + path)).rejects.toEqual(failure);
        await expect(fetcher({ allowedHosts: [host] }).fetch(url + path, { maxBytes: 999 })).rejects.toEqual(failure);
      }
    });

    it('does not wait for a body that is declared too long', async () => {
      const { url, host } = await serveRaw((socket) =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000001\r\n\r\n'),
      );
      // It does not arrive in time.
      await expect(fetcher({ allowedHosts: [host], timeout: NEVER }).fetch(url)).rejects.toEqual(failure);
    });

    it('stops reading an endless body', async () => {
      let sent = 0;
      const { url, host } = await serve((_request, response) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(10_000))) sent += 10_000;
        };
        response.on('drain', write);
        write();
      });
      await expect(fetcher({ allowedHosts: [host] }).fetch(url)).rejects.toEqual(failure);
      expect(sent).toBeLessThan(50_000_000);
    });

    it('keeps its memory when a body comes byte by byte', async () => {
      const piece = '1\r\nx\r\n'.repeat(10_000);
      const { url, host } = await serveRaw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        for (let count = 0; count < 30; count++) socket.write(piece);
        socket.end('0\r\n\r\n');
      });
      const { content } = await fetcher({ allowedHosts: [host], timeout: NEVER }).fetch(url);
      expect(content.equals(Buffer.alloc(300_000, 'x'))).toBe(true);
    });

    it.each([
      ['a status of 404', 'HTTP/1.1 404 Not Found\r\ncontent-length: 1\r\n\r\nx'],
      ['a status of 206', 'HTTP/1.1 206 Partial Content\r\ncontent-length: 1\r\n\r\nx'],
      ['a status of 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
      ['a status of 500', 'HTTP/1.1 500 Oops\r\ncontent-length: 1\r\n\r\nx'],
      ['a redirect to nowhere', 'HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n'],
      ['a redirect to nonsense', 'HTTP/1.1 302 Found\r\nlocation: http://[\r\ncontent-length: 0\r\n\r\n'],
      [
        'a redirect with credentials',
        'HTTP/1.1 302 Found\r\nlocation: http://a:b@{host}/\r\ncontent-length: 0\r\n\r\n',
      ],
      [
        'a redirect to another scheme',
        'HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n',
      ],
      ['redirects without end', 'HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'],
      ['a compressed body', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 1\r\n\r\nx'],
      ['a body cut short', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx'],
      ['chunks cut short', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nx'],
      ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
      ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(10_000)}\r\n`],
      ['nothing', ''],
    ])('refuses %s', async (_what, answer) => {
      const { url, host } = await serveRaw((socket) => socket.end(answer.replace('{host}', host)));
      // It does not arrive in time.
      await expect(fetcher({ allowedHosts: [host], timeout: NEVER }).fetch(url)).rejects.toEqual(failure);
    });

    it.each([
      ['never answers', () => {}],
      ['stops within the headers', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\n')],
      ['stops within the body', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx')],
      [
        'only ever says it will go on',
        (socket: Socket) => void setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20).unref(),
      ],
      [
        'sends a byte now and then',
        (socket: Socket) => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          setInterval(() => socket.write('x'), 20).unref();
        },
      ],
    ])('gives up on a server that %s', async (_what, answer) => {
      const { url, host } = await serveRaw(answer);
      await expect(fetcher({ allowedHosts: [host], timeout: 200 }).fetch(url)).rejects.toEqual(failure);
    });

    it('applies one timeout to all redirects', async () => {
      let asked = 0;
      const { url, host } = await serve((_request, response) => {
        asked++;
        setTimeout(() => response.writeHead(302, { location: '/' }).end(), 90);
      });
      await expect(fetcher({ allowedHosts: [host], timeout: 200 }).fetch(url)).rejects.toEqual(failure);
      // With a timeout for each redirect, one of the four would still be requested.
      expect(asked).toBeLessThan(4);
    });

    it('limits concurrent fetches, and those of one account to half', async () => {
      const waiting: (() => void)[] = [];
      const { url, host } = await serve((request, response) => {
        if (request.url === '/probe') response.end('x');
        else waiting.push(() => response.end('x'));
      });
      const limited = fetcher({ allowedHosts: [host], maxConcurrent: 4 });
      const fetches = (accountId: string) => Promise.all([1, 2, 3, 4, 5].map(() => limited.fetch(url, { accountId })));
      const all = fetches('greedy');
      const atOnce = async () => {
        // Running requests arrive before these.
        for (let probe = 0; probe < 3; probe++) await fetcher({ allowedHosts: [host] }).fetch(`${url}/probe`);
        return waiting.length;
      };
      expect(await atOnce()).toBe(2);
      const modest = fetches('modest');
      expect(await atOnce()).toBe(4);
      for (let answered = 0; answered < 10; ) {
        expect(await atOnce()).toBeLessThanOrEqual(4);
        const answer = waiting.shift();
        answer?.();
        if (answer) answered++;
      }
      await Promise.all([all, modest]);
    });

    it('reports a wait for a slot, and waits no longer than its request', async () => {
      const { url, host } = await serveRaw(() => {});
      const limited = fetcher({ allowedHosts: [host], maxConcurrent: 1, timeout: 300 });
      const first = limited.fetch(url);
      const time = new AbortController();
      let waits = 0;
      const second = limited.fetch(url, { signal: time.signal, onWait: () => waits++ });
      expect(waits).toBe(1);
      time.abort(ApiError.busy());
      await expect(second).rejects.toEqual(ApiError.busy());
      await expect(first).rejects.toEqual(failure);
    });

    describe('room for a body', () => {
      it.each([
        ['announced', true],
        ['not announced', false],
      ])('that is %s is reserved as it arrives, and waits do not count', async (_, announced) => {
        const file = randomBytes(1_200_000);
        const { url, host } = await serve((_request, response) => {
          if (announced) response.setHeader('content-length', file.length);
          response.write(file.subarray(0, 10));
          response.end(file.subarray(10));
        });
        const asked: number[] = [];
        const makeRoom = (bytes: number) => {
          asked.push(bytes);
          return asked.length > 1 ? undefined : new Promise<void>((resolve) => setTimeout(resolve, 3_200));
        };
        const patient = fetcher({ allowedHosts: [host], maxBytes: 2_000_000, timeout: 3_000 });
        const { content } = await patient.fetch(url, { makeRoom });
        expect(content.equals(file)).toBe(true);
        expect(asked[0]).toBeLessThan(200_000);
        expect(asked).toEqual([...asked].sort((a, b) => a - b));
        expect(asked.at(-1)).toBe(file.length);
      });

      it('without success is the reason of its refusal', async () => {
        const { url, host } = await serve((_request, response) => response.end(Buffer.alloc(1_000)));
        const makeRoom = () => Promise.reject(ApiError.busy());
        const full = fetcher({ allowedHosts: [host] });
        await expect(full.fetch(url, { makeRoom })).rejects.toEqual(ApiError.busy());
      });

      it('never exceeds the limit of a content', async () => {
        const { url, host } = await serve((_request, response) => {
          response.write(Buffer.alloc(1_000));
          response.end(Buffer.alloc(1));
        });
        const asked: number[] = [];
        const makeRoom = (bytes: number) => void asked.push(bytes);
        await expect(fetcher({ allowedHosts: [host], maxBytes: 1_000 }).fetch(url, { makeRoom })).rejects.toEqual(
          failure,
        );
        expect(Math.max(0, ...asked)).toBeLessThanOrEqual(1_000);
      });

      it('is awaited without a slot', async () => {
        const { url, host } = await serve((_request, response) => response.end('x'));
        const single = fetcher({ allowedHosts: [host], maxConcurrent: 1 });
        const full = new AbortController();
        let next: Promise<unknown> | undefined;
        const waiting = single.fetch(url, {
          signal: full.signal,
          makeRoom: () => {
            next = single.fetch(url).finally(() => full.abort(ApiError.busy()));
            return new Promise<void>(() => {});
          },
        });
        await expect(waiting).rejects.toEqual(ApiError.busy());
        await expect(next).resolves.toMatchObject({ content: Buffer.from('x') });
      });
    });

    it('ends with the timeout of its request', async () => {
      const { url, host } = await serveRaw(() => {});
      const time = new AbortController();
      const fetched = fetcher({ allowedHosts: [host] }).fetch(url, { signal: time.signal });
      time.abort();
      await expect(fetched).rejects.toEqual(failure);
    });
  });

  describe('from anywhere else', () => {
    let connections: number;
    let port: number;

    beforeEach(async () => {
      connections = 0;
      const canary = () =>
        createServer((_request, response) => response.end('secret')).on('connection', () => connections++);
      port = await listen(canary());
      await listen(canary(), '::1', port).catch(() => {});
    });

    /** The canary's port is allowed, so that only its address is forbidden. */
    const guarded = (options: Partial<AttachmentFetcherOptions> = {}) =>
      fetcher({ ports: [port], resolve: async () => ['127.0.0.1'], ...options });

    it('the canary would be seen', async () => {
      await guarded({ allowedHosts: ['localhost'] }).fetch(`http://localhost:${port}/`);
      expect(connections).toBe(1);
    });

    it.each([
      '127.0.0.1',
      '127.1',
      '127.0.1',
      '127.0.0.2',
      '127.255.255.254',
      '127.0.0.1.',
      '0177.0.0.1',
      '0177.0.0.01',
      '0x7f.0.0.1',
      '0x7f.1',
      '0x7f000001',
      '0X7F000001',
      '2130706433',
      '2130706433.',
      '017700000001',
      '%31%32%37.0.0.1',
      '127%2e0%2e0%2e1',
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '127.0.0.1\u00ad',
      '0',
      '0.0.0.0',
      '[::]',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[0000::0001]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[::ffff:0:127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'loopback.example.com',
      'loopback.example.com.',
      'ⓛocalhost',
      'user@127.0.0.1',
      'user:password@localhost',
      'example.com@127.0.0.1',
      'example.com:80@127.0.0.1',
      '127.0.0.1#@example.com',
      '127.0.0.1\\@example.com',
      '127.0.0.1\t',
      '127.0.\n0.1',
    ])('does not call %s', async (host) => {
      for (const url of [
        `http://${host}:${port}/`,
        `http:\\\\${host}:${port}/`,
        `HTTP:${host}:${port}`,
        `https://${host}:${port}/`,
      ]) {
        await expect(guarded().fetch(url)).rejects.toEqual(failure);
      }
      expect(connections).toBe(0);
    });

    it.each([
      ['only a private address', ['127.0.0.1']],
      ['a private IPv6 address', ['::1']],
      ['a private address behind a public one', ['1.1.1.1', '127.0.0.1']],
      ['a mapped private address', ['::ffff:127.0.0.1']],
      ['no address', []],
    ])('does not call a name with %s', async (_what, addresses) => {
      const asked: string[] = [];
      const resolve = async (hostname: string) => {
        asked.push(hostname);
        return addresses;
      };
      await expect(guarded({ resolve }).fetch(`http://rebinding.example.com:${port}/`)).rejects.toEqual(failure);
      // One lookup: there is no second answer that could differ.
      expect(asked).toEqual(['rebinding.example.com']);
      expect(connections).toBe(0);
    });

    it.each([
      'http://127.0.0.1:{port}/',
      '//127.1:{port}/',
      'http://loopback.example.com:{port}/',
      'http://[::1]:{port}/',
    ])('does not follow an allowed host to %s', async (location) => {
      const { url, host } = await serve((_request, response) =>
        response.writeHead(302, { location: location.replace('{port}', String(port)) }).end(),
      );
      await expect(guarded({ allowedHosts: [host] }).fetch(url)).rejects.toEqual(failure);
      expect(connections).toBe(0);
    });

    it('does not call another port', async () => {
      await expect(guarded({ ports: [80] }).fetch(`http://127.0.0.1:${port}/`)).rejects.toEqual(failure);
      expect(connections).toBe(0);
    });

    it('cannot be sent through a proxy by the environment', async () => {
      process.env.http_proxy = process.env.HTTP_PROXY = process.env.NODE_USE_ENV_PROXY = `http://127.0.0.1:${port}`;
      const { url, host } = await serve((_request, response) => response.end('direct'));
      try {
        expect((await guarded({ allowedHosts: [host] }).fetch(url)).content.toString()).toBe('direct');
      } finally {
        for (const name of ['http_proxy', 'HTTP_PROXY', 'NODE_USE_ENV_PROXY']) delete process.env[name];
      }
      expect(connections).toBe(0);
    });

    it('has the same message for every reason', async () => {
      const reasons = [
        '',
        'nonsense',
        'ftp://example.com/',
        `http://127.0.0.1:${port}/`,
        'http://169.254.169.254/',
        'http://user@example.com/',
      ];
      const answers = await Promise.all(
        reasons.map((url) =>
          guarded()
            .fetch(url)
            .catch((error) => JSON.stringify(error.toBody())),
        ),
      );
      expect(new Set(answers)).toEqual(new Set([JSON.stringify(failure.toBody())]));
    });
  });
});
