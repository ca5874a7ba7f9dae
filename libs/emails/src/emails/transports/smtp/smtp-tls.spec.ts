import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { EXPIRED, TEST_CERTIFICATE, TEST_KEY } from '../../../shared/net/certificate.spec-tools.js';
import type { BuiltMessage } from '../../ports/email-transport.js';
import { SmtpTransport } from './smtp-transport.js';
import type { SmtpTransportOptions } from './smtp-transport.options.js';

const MESSAGE: BuiltMessage = {
  from: 'from@from.test',
  recipients: ['to@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from('Subject: hi\r\n\r\nHello\r\n'),
};

/** A server that may use TLS. */
class TlsServer {
  /** Verbs, in order; after STARTTLS in capitals with a mark. */
  readonly heard: string[] = [];
  offers: readonly string[] = ['STARTTLS', 'AUTH PLAIN'];
  certificate = { cert: TEST_CERTIFICATE, key: TEST_KEY };
  /** Sends nothing after it has accepted STARTTLS. */
  falls = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 hi\r\n');
    this.talk(socket, false);
  });

  static async start(): Promise<TlsServer> {
    const started = new TlsServer();
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  url(query = '', login = 'user:pass@'): string {
    return `smtp://${login}127.0.0.1:${(this.server.address() as AddressInfo).port}/${query}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private talk(socket: Socket, secure: boolean): void {
    let inMessage = false;
    const hear = (bytes: Buffer) => {
      for (const line of bytes.toString().split('\r\n').slice(0, -1)) {
        if (inMessage && line !== '.') continue;
        const verb = line.split(/[ :]/, 1)[0] ?? '';
        this.heard.push(secure ? `${verb}*` : verb);
        inMessage = verb === 'DATA';
        if (verb === 'STARTTLS' && this.offers.includes('STARTTLS')) {
          socket.off('data', hear);
          socket.write('220 go\r\n');
          if (!this.falls) this.secure(socket);
          return;
        }
        socket.write(`${this.answer(verb, secure)}\r\n`);
      }
    };
    socket.on('data', hear);
  }

  private secure(socket: Socket): void {
    const secured = new TLSSocket(socket, { isServer: true, ...this.certificate });
    secured.on('error', () => {});
    this.talk(secured, true);
  }

  private answer(verb: string, secure: boolean): string {
    const offers = this.offers.filter((offered) => !secure || offered !== 'STARTTLS');
    if (verb === 'EHLO')
      return ['hi', ...offers].map((line, n, all) => `250${n < all.length - 1 ? '-' : ' '}${line}`).join('\r\n');
    return { STARTTLS: '502 no', AUTH: '235 ok', DATA: '354 go', QUIT: '221 bye' }[verb] ?? '250 ok';
  }
}

let server: TlsServer;
const transports: SmtpTransport[] = [];

beforeEach(async () => {
  server = await TlsServer.start();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
  for (const transport of transports.splice(0)) await transport.close();
});

function transportFor(options: Partial<SmtpTransportOptions> = {}): SmtpTransport {
  const transport = new SmtpTransport({ url: server.url(), tls: { ca: TEST_CERTIFICATE }, ...options });
  transports.push(transport);
  return transport;
}

it('sends with TLS where the certificate is right', async () => {
  expect(await transportFor().send(MESSAGE)).toMatchObject([{ outcome: 'accepted' }]);
  expect(server.heard.slice(0, 4)).toEqual(['EHLO', 'STARTTLS', 'EHLO*', 'AUTH*']);
});

describe.each<[string, Partial<SmtpTransportOptions>, string]>([
  ['has expired', { tls: { ca: EXPIRED.cert } }, 'CERT_HAS_EXPIRED'],
  ['has another name', { tls: { ca: TEST_CERTIFICATE, servername: 'other.test' } }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['is self-signed', { tls: {} }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
])('a server with a certificate that %s', (_, options, error) => {
  beforeEach(() => {
    if (error === 'CERT_HAS_EXPIRED') server.certificate = EXPIRED;
  });

  it.each(['', '?tls=optional'])('gets neither password nor message (%j), which is kept', async (query) => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const transport = transportFor({ ...options, url: server.url(query) });
    expect(await transport.send(MESSAGE)).toMatchObject([{ outcome: 'deferred', reply: { error } }]);
    await expect(transport.acquireSlot()).rejects.toThrow();
    await expect(transport.verify()).rejects.toThrow();
    expect(new Set(server.heard)).toEqual(new Set(['EHLO', 'STARTTLS']));
  });
});

describe('a server that does not offer STARTTLS, or whose offer an attacker hides', () => {
  beforeEach(() => {
    server.offers = ['AUTH PLAIN'];
  });

  it('gets no password where TLS is required', async () => {
    const transport = transportFor({ url: server.url('?tls=required') });
    expect(await transport.send(MESSAGE)).toMatchObject([{ outcome: 'deferred', reply: { code: 502 } }]);
    await expect(transport.verify()).rejects.toMatchObject({ code: 'ETLS' });
    expect(new Set(server.heard)).toEqual(new Set(['EHLO', 'STARTTLS']));
  });

  it.each(['', '?tls=optional', '?tls=none'])('gets it in clear on this machine (%j)', async (query) => {
    expect(await transportFor({ url: server.url(query) }).send(MESSAGE)).toMatchObject([{ outcome: 'accepted' }]);
    expect(server.heard.slice(0, 3)).toEqual(['EHLO', 'AUTH', 'MAIL']);
  });
});

it('a server that offers STARTTLS is not asked for it with `tls=none`', async () => {
  expect(await transportFor({ url: server.url('?tls=none') }).send(MESSAGE)).toMatchObject([{ outcome: 'accepted' }]);
  expect(server.heard).not.toContain('STARTTLS');
});

it('a message that requires TLS is sent with TLS, and put off without', async () => {
  const secret = { ...MESSAGE, requireTls: true };
  expect(await transportFor().send(secret)).toMatchObject([{ outcome: 'accepted' }]);
  server.offers = ['AUTH PLAIN'];
  server.heard.length = 0;
  const transport = transportFor();
  expect(await transport.send(secret)).toMatchObject([
    { outcome: 'deferred', reply: { error: 'NO_TLS', text: expect.stringContaining('requires TLS') } },
  ]);
  expect(server.heard).not.toContain('MAIL');
  expect(await transport.send(MESSAGE)).toMatchObject([{ outcome: 'accepted' }]);
});

it('a message of a domain that enforces TLS is sent with TLS, and refused without', async () => {
  const enforced = { ...MESSAGE, requireTls: 'enforced' } as const;
  expect(await transportFor().send(enforced)).toMatchObject([{ outcome: 'accepted' }]);
  expect(server.heard).toContain('STARTTLS');
  server.offers = ['AUTH PLAIN'];
  server.heard.length = 0;
  expect(await transportFor().send(enforced)).toMatchObject([
    { outcome: 'rejected', reply: { error: 'NO_TLS', reasonCode: 'tls_missing' } },
  ]);
  expect(server.heard).not.toContain('MAIL');
});

it.each([
  ['without AUTH', { offers: ['STARTTLS'] }, 'ENOLOGIN'],
  ['that falls silent at the handshake', { falls: true }, undefined],
])('a server %s gets no message', async (_, some, code) => {
  Object.assign(server, some);
  const transport = transportFor({ connectionTimeout: 300, greetingTimeout: 300 });
  expect(await transport.send(MESSAGE)).toMatchObject([{ outcome: 'deferred' }]);
  await expect(transport.verify()).rejects.toMatchObject(code === undefined ? {} : { code });
  expect(server.heard).not.toContain('MAIL*');
});

it('closing a transport does not wait for a handshake', async () => {
  server.falls = true;
  const transport = transportFor();
  const asked = expect(transport.verify()).rejects.toThrow('closed');
  const slot = transport.acquireSlot();
  while (server.heard.filter((verb) => verb === 'STARTTLS').length < 2) await new Promise((done) => setImmediate(done));
  await transport.close();
  await asked;
  expect(await slot).toBeUndefined();
});

it('keeps the message when DNS does not know the name, and closing does not wait for DNS', async () => {
  const transport = transportFor({ url: 'smtp://nowhere.invalid:25' });
  expect(await transport.send(MESSAGE)).toMatchObject([{ outcome: 'deferred', reply: { error: /^E[A-Z_]+$/ } }]);
  const ended = transportFor({ url: 'smtp://nowhere.invalid:25' });
  const asked = expect(ended.verify()).rejects.toThrow();
  const slot = ended.acquireSlot().catch(() => undefined);
  await ended.close();
  await asked;
  expect(await slot).toBeUndefined();
});

describe('a password that may be sent in clear', () => {
  it.each([
    ['smtp://u:canary@mx.example?tls=optional', /mx\.example.*when the server does not offer it.*tls=optional/],
    ['smtp://u:canary@mx.example:25?tls=none', /mx\.example:25 is sent without TLS \(`tls=none`/],
  ])('causes a warning at the start: %s', (url, text) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    transportFor({ url });
    expect(warn.mock.calls).toEqual([[expect.stringMatching(text)]]);
    expect(String(warn.mock.calls)).not.toContain('canary');
  });

  it.each([
    'smtp://u:p@mx.example',
    'smtp://u:p@mx.example?tls=required',
    'smtps://u:p@mx.example',
    'smtp://mx.example?tls=none',
    'smtp://u:p@localhost?tls=none',
    'smtp://u:p@127.0.0.1',
  ])('causes no warning otherwise: %s', (url) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    transportFor({ url });
    expect(warn).not.toHaveBeenCalled();
  });
});
