import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { TEST_CERTIFICATE, TEST_KEY } from '../../../shared/net/certificate.spec-tools.js';
import type { SmtpCredentials } from './auth-mechanisms.js';
import { linesOf } from './lines-of.spec-tools.js';
import { greet } from './smtp-greeting.js';
import { readSmtpOptions, type SmtpTransportOptions } from './smtp-transport.options.js';

/** Answers each line as the test says. */
class LineServer {
  readonly heard: string[] = [];
  offers: readonly string[] = [];
  greeting = '220 hi';
  /** Replaces the usual reply. A text with `|close` at its end is the last. */
  answer: (line: string) => string | undefined = () => undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(secure = false): Promise<LineServer> {
    const talk = (socket: Socket) => void started.talk(socket);
    const server = secure ? createTlsServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, talk) : createServer(talk);
    server.on('tlsClientError', () => {});
    const started: LineServer = new LineServer(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return started;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async talk(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    socket.on('error', () => {});
    const [greeting, isLast] = this.greeting.split('|');
    socket.write(`${greeting}\r\n`);
    if (isLast) socket.end();
    for await (const line of linesOf(socket)) {
      this.heard.push(line);
      const [reply = '', then] = (this.answer(line) ?? this.usual(line)).split('|');
      socket.write(`${reply}\r\n`);
      if (then === 'close') socket.end();
    }
  }

  private usual(line: string): string {
    if (!line.startsWith('EHLO')) return '250 ok';
    const lines = ['server.test', ...this.offers];
    return lines.map((offer, n) => `250${n === lines.length - 1 ? ' ' : '-'}${offer}`).join('\r\n');
  }
}

let server: LineServer;
const controllers: AbortController[] = [];

beforeEach(async () => {
  server = await LineServer.start();
});

afterEach(async () => {
  for (const controller of controllers.splice(0)) controller.abort();
  await server.close();
});

async function greeted(options: Partial<SmtpTransportOptions> = {}) {
  const controller = new AbortController();
  controllers.push(controller);
  const { connection } = readSmtpOptions({ url: `smtp://${server.address}`, name: 'me.test', ...options });
  const { socket, extensions } = await greet(connection, controller.signal);
  socket.destroy();
  return extensions;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const logins = () => server.heard.slice(1);
const USER: SmtpCredentials = { user: 'jörg', pass: 'gehéim 🔑' };
const PLAIN = base64('\0jörg\0gehéim 🔑');

/** Sends these replies to the commands after EHLO, one after the other. */
function replies(...all: string[]): void {
  server.answer = (line) => (line.startsWith('EHLO') ? undefined : (all.shift() ?? '500 too much'));
}

describe('greet', () => {
  it('reads a multi-line greeting, and the extensions', async () => {
    server.greeting = '220-hi\r\n220 there';
    server.offers = ['PIPELINING', 'DSN', 'STARTTLS x', 'AUTH login PLAIN', 'AUTH=PLAIN CRAM-MD5', 'SIZE 5'];
    const options = { url: `smtp://${server.address}?tls=none` };
    expect(await greeted(options)).toMatchObject({
      pipelining: true,
      dsn: true,
      startTls: true,
      auth: ['LOGIN', 'PLAIN', 'CRAM-MD5'],
      maxSize: 5,
    });
    expect(server.heard).toEqual(['EHLO me.test']);
  });

  it('sends HELO to a server that does not know EHLO, and finds no extensions', async () => {
    server.answer = (line) => (line.startsWith('EHLO') ? '502 what?' : '250 PIPELINING');
    expect(await greeted()).toMatchObject({ pipelining: false, auth: [] });
    expect(server.heard).toEqual(['EHLO me.test', 'HELO me.test']);
  });

  it.each<[string, string, object]>([
    ['greets with a refusal', '554 5.3.2 go away', { code: 'EPROTOCOL', responseCode: 554 }],
    ['is closing', '421 4.3.2 closing', { code: 'EPROTOCOL', responseCode: 421 }],
    ['speaks something else', 'HTTP/1.1 400 Bad Request', { code: 'EPROTOCOL' }],
    ['says more than one greeting', '220 hi\r\n220 again', { code: 'EPROTOCOL' }],
  ])('rejects when the server %s', async (_, greeting, error) => {
    server.greeting = greeting;
    await expect(greeted()).rejects.toMatchObject(error);
  });

  it('does not continue with HELO when EHLO is answered 421', async () => {
    server.answer = () => '421 4.3.2 closing|close';
    await expect(greeted()).rejects.toMatchObject({ code: 'ECONNECTION', responseCode: 421 });
    expect(server.heard).toEqual(['EHLO me.test']);
  });

  it('accepts a truncated refusal', async () => {
    server.greeting = '554-5.7.1 no|close';
    await expect(greeted()).rejects.toMatchObject({ responseCode: 554 });
  });

  it('refuses bytes that were injected before TLS', async () => {
    server.offers = ['STARTTLS'];
    server.answer = (line) => (line === 'STARTTLS' ? '220 go\r\n250-injected\r\n250 AUTH PLAIN' : undefined);
    await expect(greeted()).rejects.toMatchObject({ code: 'EPROTOCOL' });
    expect(server.heard).toEqual(['EHLO me.test', 'STARTTLS']);
  });

  it('rejects when nothing listens, with the code of the system', async () => {
    const { address } = server;
    await server.close();
    server = await LineServer.start();
    await expect(greeted({ url: `smtp://${address}` })).rejects.toMatchObject({
      code: 'ESOCKET',
      originalCode: 'ECONNREFUSED',
    });
  });

  it('connects from the configured address', async () => {
    server.answer = () => undefined;
    await greeted({ localAddress: '127.0.0.1' });
    await expect(greeted({ localAddress: '192.0.2.1' })).rejects.toMatchObject({ originalCode: 'EADDRNOTAVAIL' });
  });
});

describe('TLS from the start', () => {
  beforeEach(async () => {
    await server.close();
    server = await LineServer.start(true);
  });

  it('begins before the greeting, without STARTTLS', async () => {
    server.offers = ['STARTTLS', 'AUTH PLAIN'];
    await greeted({ url: `smtps://me:pass@${server.address}`, tls: { ca: TEST_CERTIFICATE } });
    expect(server.heard).toEqual(['EHLO me.test', `AUTH PLAIN ${base64('\0me\0pass')}`]);
  });

  it('requires the right certificate', async () => {
    await expect(greeted({ url: `smtps://${server.address}` })).rejects.toMatchObject({
      code: 'ETLS',
      originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(server.heard).toEqual([]);
  });
});

describe('a login', () => {
  it.each<[string, string[], Partial<SmtpTransportOptions>, string[], string[]]>([
    ['by PLAIN', ['AUTH PLAIN'], {}, ['235 in'], [`AUTH PLAIN ${PLAIN}`]],
    [
      'by PLAIN to a server that asks for the response',
      ['AUTH PLAIN'],
      {},
      ['334 ', '235 in'],
      [`AUTH PLAIN ${PLAIN}`, PLAIN],
    ],
    [
      'by LOGIN, which the server names first',
      ['AUTH LOGIN PLAIN'],
      {},
      ['334 VXNlcm5hbWU6', '334 UGFzc3dvcmQ6', '235 in'],
      ['AUTH LOGIN', base64('jörg'), base64('gehéim 🔑')],
    ],
    [
      'by what is known of what the server offers',
      ['AUTH GSSAPI XOAUTH2 NTLM PLAIN'],
      {},
      ['235 in'],
      [`AUTH PLAIN ${PLAIN}`],
    ],
    ['by what is asked for', ['AUTH LOGIN PLAIN'], { authMethod: 'PLAIN' }, ['235 in'], [`AUTH PLAIN ${PLAIN}`]],
    ['by what is offered as it once was', ['AUTH=PLAIN'], {}, ['235 in'], [`AUTH PLAIN ${PLAIN}`]],
  ])('%s', async (_, offers, options, answers, said) => {
    server.offers = offers;
    replies(...answers);
    await greeted({ auth: USER, ...options });
    expect(logins()).toEqual(said);
  });

  it('with a response longer than a command line waits until it is asked for it', async () => {
    server.offers = ['AUTH PLAIN'];
    replies('334 ', '235 in');
    const pass = 'x'.repeat(500);
    await greeted({ auth: { user: 'me', pass } });
    expect(logins()).toEqual(['AUTH PLAIN', base64(`\0me\0${pass}`)]);
  });

  it.each<[string, Partial<SmtpTransportOptions>, RegExp]>([
    ['AUTH GSSAPI NTLM', { auth: USER }, /offers GSSAPI, NTLM; .*password needs PLAIN, LOGIN\./],
    ['AUTH PLAIN', { auth: USER, authMethod: 'LOGIN' }, /offers PLAIN; .* needs LOGIN\./],
    ['AUTH PLAIN', { auth: { user: 'me', accessToken: async () => 't' } }, /access token needs XOAUTH2\./],
    ['PIPELINING', { auth: USER }, /no login \(AUTH\), and there is a password/],
  ])('to a server with %j says what is missing, and no credentials', async (offer, options, text) => {
    server.offers = [offer];
    const error = await greeted(options).catch((refused: Error) => refused);
    expect(error).toMatchObject({ code: 'ENOLOGIN', message: expect.stringMatching(text) });
    expect(logins()).toEqual([]);
  });

  it.each([
    ['535 5.7.8 no', { code: 'EAUTH', responseCode: 535 }],
    ['454 4.7.0 later', { code: 'EAUTH', responseCode: 454 }],
    ['421 4.3.2 closing', { code: 'EAUTH', responseCode: 421 }],
    ['235 in\r\n250 more', { code: 'EPROTOCOL' }],
  ])('that is answered %j is refused', async (reply, error) => {
    server.offers = ['AUTH PLAIN'];
    replies(reply);
    await expect(greeted({ auth: USER })).rejects.toMatchObject(error);
  });

  it('that is asked for more and more comes to an end', async () => {
    server.offers = ['AUTH LOGIN'];
    server.answer = (line) => (line.startsWith('EHLO') ? undefined : '334 more');
    await expect(greeted({ auth: USER })).rejects.toMatchObject({ code: 'EAUTH', responseCode: 334 });
    expect(logins()).toEqual(['AUTH LOGIN', base64('jörg'), base64('gehéim 🔑'), '']);
  });

  it.each([
    [`501 5.5.2 cannot decode ${PLAIN} of gehéim 🔑`, 'refused the login: 501 5.5.2'],
    [`501 cannot decode ${PLAIN.slice(0, 12)}…`, 'refused the login: 501'],
    [`535-5.7.8 ${PLAIN.toUpperCase()}\r\n535 ${PLAIN}`, 'refused the login: 535 5.7.8'],
    [`535-5.7.8 ${PLAIN}|close`, 'refused the login: 535 5.7.8'],
    [`what is ${PLAIN}?`, 'gave no SMTP reply to a login.'],
  ])('leaves no text of the server in the error, which may quote it: %j', async (reply, said) => {
    server.offers = ['AUTH PLAIN'];
    replies(reply);
    const error = await greeted({ auth: USER }).catch((refused: Error) => refused);
    expect((error as Error).message).toBe(`The next hop ${said}`);
  });
});

describe('a login by XOAUTH2', () => {
  const response = (token: string) => base64(`user=me\x01auth=Bearer ${token}\x01\x01`);
  const asked: string[] = [];
  const auth = {
    user: 'me',
    accessToken: async () => {
      asked.push(`token${asked.length + 1}`);
      return asked.at(-1) as string;
    },
  };
  const REFUSED = [`334 ${base64('{"status":"401"}')}`, '535 5.7.8 no'];

  beforeEach(() => {
    asked.length = 0;
    server.offers = ['AUTH PLAIN XOAUTH2'];
  });

  it('asks for a token before each', async () => {
    replies('235 in', '235 in');
    for (const token of ['token1', 'token2']) {
      await greeted({ auth });
      expect(server.heard.at(-1)).toBe(`AUTH XOAUTH2 ${response(token)}`);
    }
  });

  it('asks for another token once, when one is refused', async () => {
    replies(...REFUSED, '235 in');
    await greeted({ auth });
    expect(logins()).toEqual([`AUTH XOAUTH2 ${response('token1')}`, '', `AUTH XOAUTH2 ${response('token2')}`]);
    replies(...REFUSED, ...REFUSED);
    await expect(greeted({ auth })).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
    expect(asked).toHaveLength(4);
  });

  it('counts as refused when the server closes the connection after the refusal', async () => {
    replies('535 5.7.8 no|close');
    const slow = { user: 'me', accessToken: () => new Promise<string>((resolve) => setTimeout(resolve, 50, 'token')) };
    await expect(greeted({ auth: slow })).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
  });

  it('says a long token when it is asked for it', async () => {
    const token = 'x'.repeat(2_000);
    replies('334 ', '235 in');
    await greeted({ auth: { user: 'me', accessToken: async () => token } });
    expect(logins()).toEqual(['AUTH XOAUTH2', response(token)]);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['fails', () => Promise.reject(Object.assign(new Error('canary'), { code: 'ENOTFOUND' })), /ENOTFOUND/],
    [
      'throws',
      () => {
        throw new TypeError('canary');
      },
      /TypeError/,
    ],
    ['gives none', async () => undefined as never, /must be a text/],
    ['gives several lines', async () => 'canary\r\nMAIL', /must be a text/],
  ])('says nothing when the function %s', async (_, accessToken, text) => {
    const error = await greeted({ auth: { user: 'me', accessToken } }).catch((refused: Error) => refused);
    expect(error).toMatchObject({ code: 'EAUTH', message: expect.stringMatching(text) });
    expect(String(error)).not.toContain('canary');
    expect(logins()).toEqual([]);
  });

  it('waits for no token longer than for a reply, nor behind the end', async () => {
    const never = { user: 'me', accessToken: () => new Promise<string>(() => {}) };
    await expect(greeted({ auth: never, socketTimeout: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    const asking = expect(greeted({ auth: never })).rejects.toThrow('closed');
    while (server.heard.length < 2) await new Promise((resolve) => setImmediate(resolve));
    controllers.at(-1)?.abort();
    await asking;
  });

  it('hears a server that closes while a token is awaited', async () => {
    server.answer = (line) => (line.startsWith('EHLO') ? '250-hi\r\n250 AUTH XOAUTH2|close' : undefined);
    const never = { user: 'me', accessToken: () => new Promise<string>(() => {}) };
    await expect(greeted({ auth: never })).rejects.toMatchObject({ code: 'ECONNECTION' });
  });
});
