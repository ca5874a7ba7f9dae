import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import type { BuiltMessage, RecipientOutcome } from '../../ports/email-transport.js';
import { linesOf } from './lines-of.spec-tools.js';
import { SmtpTransport } from './smtp-transport.js';
import type { SmtpTransportOptions } from './smtp-transport.options.js';

/** Bytes to send, 'drop' to close silently, 'hang' to send nothing more, 'trickle' to send a byte now and then. */
type Reply = string;

/** A server that sends exactly the given replies: whole ones, halves, nonsense. */
class ScriptedServer {
  /** The received commands per connection; a message counts as `.`. */
  readonly connections: string[][] = [];
  open = 0;
  mostOpen = 0;
  extensions: readonly string[] = [];
  /** Replaces the usual reply to a command. `nth`: number of earlier commands with this verb, on all connections. */
  answer: (verb: string, line: string, nth: number) => Reply | undefined | Promise<Reply | undefined> = () => undefined;
  private readonly counts = new Map<string, number>();
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((socket) => void this.serve(socket));

  static async start(): Promise<ScriptedServer> {
    const started = new ScriptedServer();
    started.server.listen(0, '127.0.0.1');
    await once(started.server, 'listening');
    return started;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get commands(): string[] {
    return this.connections.flat();
  }

  count(verb: string): number {
    return this.commands.filter((line) => line.split(/[ :]/, 1)[0] === verb).length;
  }

  hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.hangUp();
    await closed;
  }

  private async serve(socket: Socket): Promise<void> {
    const heard: string[] = [];
    this.connections.push(heard);
    this.sockets.add(socket);
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    socket.once('close', () => {
      this.open -= 1;
      this.sockets.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    let inMessage = false;
    if (!(await this.reply(socket, 'CONNECT', 'CONNECT', '220 hi'))) return;
    for await (const line of linesOf(socket)) {
      if (inMessage && line !== '.') continue;
      heard.push(line);
      const verb = line.split(/[ :]/, 1)[0] ?? '';
      const usual = this.usual(verb);
      const said = await this.reply(socket, verb, line, usual);
      if (said === undefined) return;
      inMessage = verb === 'DATA' && /^[23]/.test(said);
    }
  }

  private usual(verb: string): string {
    if (verb === 'EHLO')
      return ['server.test', ...this.extensions]
        .map((line, n, all) => `250${n === all.length - 1 ? ' ' : '-'}${line}`)
        .join('\r\n');
    return { DATA: '354 go on', QUIT: '221 bye' }[verb] ?? '250 ok';
  }

  private async reply(socket: Socket, verb: string, line: string, usual: string): Promise<string | undefined> {
    const nth = this.counts.get(verb) ?? 0;
    this.counts.set(verb, nth + 1);
    const reply = (await this.answer(verb, line, nth)) ?? `${usual}\r\n`;
    if (reply === 'hang') return undefined;
    if (reply === 'trickle') {
      const timer = setInterval(() => socket.write('2'), 50);
      socket.once('close', () => clearInterval(timer));
      return undefined;
    }
    if (reply === 'drop') {
      socket.destroy();
      return undefined;
    }
    const [bytes = '', then] = reply.split('|');
    socket.write(bytes);
    if (then === 'close' || verb === 'QUIT') {
      socket.end();
      return undefined;
    }
    if (then === 'stall') {
      // Nothing more is read from the connection.
      socket.pause();
      return undefined;
    }
    return bytes;
  }
}

let server: ScriptedServer;
const transports: SmtpTransport[] = [];

beforeEach(async () => {
  server = await ScriptedServer.start();
});

afterEach(async () => {
  await server.close();
  for (const transport of transports.splice(0)) await transport.close();
});

function transportFor(options: Partial<SmtpTransportOptions> = {}): SmtpTransport {
  const transport = new SmtpTransport({ url: server.url, ...options });
  transports.push(transport);
  return transport;
}

const message = (some: Partial<BuiltMessage> = {}): BuiltMessage => ({
  from: 'from@from.test',
  recipients: ['to@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from('Subject: hi\r\n\r\nHello\r\n'),
  ...some,
});

const kinds = (outcomes: readonly RecipientOutcome[]) =>
  Object.fromEntries(outcomes.map(({ address, outcome }) => [address, outcome]));

/** Answers one verb once with this reply, all others as usual. */
const onlyOnce = (verb: string, reply: Reply) => (asked: string, _: string, nth: number) =>
  asked === verb && nth === 0 ? reply : undefined;

describe.each([
  ['with', ['PIPELINING', 'SMTPUTF8']],
  ['without', ['SMTPUTF8']],
])('a server %s PIPELINING', (_, extensions) => {
  beforeEach(() => {
    server.extensions = extensions;
  });

  it.each<[string, Reply, RecipientOutcome['outcome']]>([
    ['MAIL', '550 no\r\n', 'rejected'],
    ['MAIL', '451 later\r\n', 'deferred'],
    ['MAIL', '421 bye\r\n|close', 'deferred'],
    ['MAIL', 'huh\r\n', 'deferred'],
    ['MAIL', 'drop', 'deferred'],
    ['RCPT', '550 no\r\n', 'rejected'],
    ['RCPT', '450 later\r\n', 'deferred'],
    ['RCPT', '421 bye\r\n|close', 'deferred'],
    ['RCPT', 'huh\r\n', 'deferred'],
    ['RCPT', 'drop', 'deferred'],
    ['DATA', '554 no\r\n', 'rejected'],
    ['DATA', '421 bye\r\n|close', 'deferred'],
    ['DATA', 'drop', 'deferred'],
    ['.', '554 no\r\n', 'rejected'],
    ['.', '452 full\r\n', 'deferred'],
    ['.', '421 bye\r\n|close', 'deferred'],
    ['.', 'drop', 'unknown'],
    ['.', 'huh\r\n', 'unknown'],
    ['.', '25|close', 'unknown'],
    ['.', '250 2.0.0 ta|close', 'unknown'],
    ['.', '250-first line\r\n|close', 'unknown'],
    ['.', '55|close', 'unknown'],
    ['.', '554 5.7.1 spa|close', 'rejected'],
    ['.', '250 taken\r\n|close', 'accepted'],
  ])('that says at %s %j: %s', async (verb, reply, outcome) => {
    server.answer = onlyOnce(verb, reply);
    expect(kinds(await transportFor().send(message()))).toEqual({ 'to@to.test': outcome });
  });

  it.each<[string, Reply, string]>([
    ['MAIL', '451 later\r\n', 'mail'],
    ['MAIL', '421 bye\r\n|close', 'mail'],
    ['RCPT', '421 bye\r\n|close', 'rcpt'],
    ['DATA', '421 bye\r\n|close', 'data'],
    ['.', '421 bye\r\n|close', 'dot'],
  ])('that refuses %s by %j: the outcome has the stage', async (verb, reply, stage) => {
    server.answer = onlyOnce(verb, reply);
    const [outcome] = await transportFor().send(message());
    expect(outcome).toMatchObject({ outcome: 'deferred', reply: { code: Number(reply.slice(0, 3)), stage } });
  });

  it('that says 250 to DATA, which does not fit, gets no message', async () => {
    server.answer = (verb) => (verb === 'DATA' ? '250 go on\r\n' : undefined);
    expect(kinds(await transportFor().send(message()))).toEqual({ 'to@to.test': 'deferred' });
    expect(server.count('.')).toBe(0);
  });

  it('that refuses all recipients keeps the connection for the next message', async () => {
    server.answer = onlyOnce('RCPT', '550 nobody\r\n');
    const transport = transportFor();
    await transport.send(message());
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'accepted' });
    expect(server.connections).toHaveLength(1);
  });

  it.each(['drop', '421 idle for too long\r\n|close'])(
    'that ends a reused connection by %j gets one new connection',
    async (reply) => {
      const transport = transportFor();
      await transport.send(message());
      server.answer = (verb, _line, nth) => (verb === 'MAIL' && nth === 1 ? reply : undefined);
      expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'accepted' });
      expect(server.connections).toHaveLength(2);

      server.answer = (verb) => (verb === 'MAIL' ? reply : undefined);
      expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'deferred' });
      expect(server.connections).toHaveLength(3);
    },
  );

  it('that ends a reused connection gets a streamed message again on a new one', async () => {
    const transport = transportFor();
    await transport.send(message());
    server.answer = (verb, _line, nth) => (verb === 'MAIL' && nth === 1 ? 'drop' : undefined);
    const opened: Readable[] = [];
    const raw = () => {
      opened.push(Readable.from([Buffer.from('Subject: hi\r\n\r\n'), Buffer.from('Hello\r\n')]));
      return opened.at(-1)!;
    };
    expect(kinds(await transport.send(message({ raw })))).toEqual({ 'to@to.test': 'accepted' });
    expect(server.count('.')).toBe(2);
    // Opened only when the server asks for it.
    expect(opened).toHaveLength(1);
    expect(opened.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('that may have the message does not get it a second time, even on a reused connection', async () => {
    const transport = transportFor();
    await transport.send(message());
    server.answer = (verb, _line, nth) => (verb === '.' && nth === 1 ? '250 2.0.0 ta|close' : undefined);
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'unknown' });
    expect(server.count('.')).toBe(2);
  });
});

describe('a message', () => {
  it('with an internationalised address is refused before a server without SMTPUTF8 gets it', async () => {
    const [outcome] = await transportFor().send(message({ recipients: ['jörg@to.test'], needsSmtpUtf8: true }));
    expect(outcome).toMatchObject({ outcome: 'rejected', reply: { text: expect.stringContaining('SMTPUTF8') } });
    expect(server.count('MAIL')).toBe(0);
  });

  it.each([
    ['in the envelope', 'jörg@to.test', true, 'SMTPUTF8'],
    ['in a header only', 'to@to.test', true, 'SMTPUTF8'],
    ['nowhere', 'to@to.test', false, ''],
  ])('with an internationalised address %s uses SMTPUTF8 only if it needs it', async (_, to, needs, asked) => {
    server.extensions = ['SMTPUTF8', 'SIZE 1000'];
    const transport = transportFor();
    const given = message({ recipients: [to], needsSmtpUtf8: needs });
    expect(kinds(await transport.send(given))).toEqual({ [to]: 'accepted' });
    const mail = server.commands.find((line) => line.startsWith('MAIL')) ?? '';
    expect(mail.match(/SMTPUTF8/g)?.join() ?? '').toBe(asked);
    await transport.send(message());
    expect(server.commands.filter((line) => line.startsWith('MAIL')).at(-1)).not.toContain('SMTPUTF8');
  });

  it('larger than the limit of the server is refused before it is sent', async () => {
    server.extensions = ['SIZE 10'];
    const large = { raw: () => Readable.from([Buffer.alloc(11)]), size: 11 };
    for (const some of [{}, large])
      expect(kinds(await transportFor().send(message(some)))).toEqual({ 'to@to.test': 'rejected' });
    expect(server.count('DATA')).toBe(0);
  });

  it('as a stream arrives, and its loss in the middle has a known outcome', async () => {
    const transport = transportFor();
    expect(
      kinds(
        await transport.send(message({ raw: () => Readable.from([Buffer.from('one\r\n'), Buffer.from('two\r\n')]) })),
      ),
    ).toEqual({
      'to@to.test': 'accepted',
    });
    const endless = new Readable({ read() {} });
    server.answer = (verb) => {
      if (verb === 'DATA') setImmediate(() => server.hangUp());
      return undefined;
    };
    expect(kinds(await transport.send(message({ raw: () => endless })))).toEqual({ 'to@to.test': 'deferred' });
    expect(endless.destroyed).toBe(true);
  });

  it.each([
    ['a new', 0],
    ['a reused', 1],
  ])('that cannot be read completely is neither sent in part nor sent again, on %s connection', async (_, before) => {
    const transport = transportFor();
    for (let n = 0; n < before; n++) await transport.send(message());
    let opened = 0;
    const raw = () => {
      opened += 1;
      return Readable.from(
        (async function* () {
          yield Buffer.from('first half');
          throw new Error('the storage is gone');
        })(),
      );
    };
    expect(kinds(await transport.send(message({ raw })))).toEqual({ 'to@to.test': 'deferred' });
    expect(opened).toBe(1);
    expect(server.count('.')).toBe(before);
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'accepted' });
    expect(server.connections).toHaveLength(2);
  });

  it('whose connection is lost during sending is not sent again at once', async () => {
    const transport = transportFor();
    await transport.send(message());
    let opened = 0;
    const raw = () => {
      opened += 1;
      const endless = new Readable({ read() {} });
      endless.push('first half');
      endless.once('data', () => setImmediate(() => server.hangUp()));
      endless.pause();
      return endless;
    };
    expect(kinds(await transport.send(message({ raw })))).toEqual({ 'to@to.test': 'deferred' });
    expect(opened).toBe(1);
    expect(server.count('.')).toBe(1);
  });
});

describe('a server that cannot be used', () => {
  it('defers every recipient when nothing answers', async () => {
    const { url } = server;
    await server.close();
    server = await ScriptedServer.start();
    expect(kinds(await transportFor({ url }).send(message({ recipients: ['a@to.test', 'b@to.test'] })))).toEqual({
      'a@to.test': 'deferred',
      'b@to.test': 'deferred',
    });
  });

  it.each(['554 no mail here\r\n', 'huh\r\n', 'drop'])('defers when it greets with %j', async (greeting) => {
    server.answer = onlyOnce('CONNECT', greeting);
    expect(kinds(await transportFor().send(message()))).toEqual({ 'to@to.test': 'deferred' });
  });

  it('defers when it refuses the credentials, and gets them when it asks', async () => {
    server.extensions = ['AUTH PLAIN'];
    const withPassword = { url: server.url.replace('//', '//user:p%40ss@') };
    server.answer = (verb, line) =>
      verb === 'AUTH'
        ? line.endsWith(Buffer.from('\0user\0p@ss').toString('base64'))
          ? '235 welcome\r\n'
          : '535 no\r\n'
        : undefined;
    expect(kinds(await transportFor(withPassword).send(message()))).toEqual({ 'to@to.test': 'accepted' });
    server.answer = (verb) => (verb === 'AUTH' ? '535 no\r\n' : undefined);
    expect(kinds(await transportFor(withPassword).send(message()))).toEqual({ 'to@to.test': 'deferred' });
  });

  it.each<[string, RecipientOutcome['outcome']]>([
    ['CONNECT', 'deferred'],
    ['EHLO', 'deferred'],
    ['MAIL', 'deferred'],
    ['DATA', 'deferred'],
    ['.', 'unknown'],
  ])('and falls silent at %s is given up after the time limit: %s', async (verb, outcome) => {
    server.answer = onlyOnce(verb, 'hang');
    const transport = transportFor({ greetingTimeout: 500, socketTimeout: 500 });
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': outcome });
  });
});

describe('a server that accepts no mail without a login', () => {
  const DEMAND = '530 5.7.0 Authentication required\r\n';

  it('rejects with the reason when it offers none, and gets no message', async () => {
    const transport = transportFor({ url: server.url.replace('//', '//user:pass@') });
    const [outcomes] = await transport.send(message());
    expect(outcomes).toMatchObject({ outcome: 'deferred', reply: { error: 'ENOLOGIN', text: /no login \(AUTH\)/ } });
    await expect(transport.acquireSlot()).rejects.toMatchObject({ code: 'ENOLOGIN' });
    await expect(transport.verify()).rejects.toMatchObject({ code: 'ENOLOGIN' });
    expect([server.count('MAIL'), server.count('AUTH')]).toEqual([0, 0]);
  });

  it.each(['530 5.7.0 Must issue a STARTTLS command first', '534 no', '535 no', '538 no', '554 5.7.8 no'])(
    'and says so at MAIL (%s), counts as unreachable until it accepts mail',
    async (reply) => {
      server.answer = (verb) => (verb === 'MAIL' ? `${reply}\r\n` : undefined);
      const transport = transportFor();
      const slot = (await transport.acquireSlot())!;
      expect(await slot.send(message())).toBe('stale');
      await expect(slot.reopen()).rejects.toMatchObject({ responseCode: Number(reply.slice(0, 3)), message: reply });
      slot.release();
      await expect(transport.verify(new AbortController().signal)).rejects.toThrow(reply);
      expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'deferred' });
      server.answer = () => undefined;
      await transport.verify(new AbortController().signal);
      expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'accepted' });
    },
  );

  it('for one sender only defers that sender, and no other', async () => {
    server.answer = (verb, line) => (verb === 'MAIL' && line.includes('local.test') ? DEMAND : undefined);
    const transport = transportFor();
    const slot = (await transport.acquireSlot())!;
    const outcomes = (await slot.send(message({ from: 'a@local.test' }))) as RecipientOutcome[];
    expect(outcomes).toMatchObject([{ outcome: 'deferred', reply: { code: 530 } }]);
    slot.release();
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'accepted' });
  });

  it('for one recipient refuses no recipient', async () => {
    server.answer = (verb, line) => (verb === 'RCPT' && line.includes('a@') ? DEMAND : undefined);
    const outcomes = await transportFor().send(message({ recipients: ['a@to.test', 'b@to.test'] }));
    expect(kinds(outcomes)).toEqual({ 'a@to.test': 'deferred', 'b@to.test': 'accepted' });
  });

  it('is tested once for simultaneous callers, and not after the end', async () => {
    server.answer = (verb) => (verb === 'MAIL' ? DEMAND : undefined);
    const transport = transportFor({ maxConnections: 4 });
    const slots = await Promise.all([1, 2, 3, 4].map(() => transport.acquireSlot()));
    const before = server.count('EHLO');
    expect(await Promise.all(slots.map((slot) => slot!.send(message())))).toEqual(Array(4).fill('stale'));
    expect(server.count('EHLO') - before).toBe(1);
    for (const slot of slots) slot!.release();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    server.answer = (verb) => {
      if (verb !== 'MAIL') return undefined;
      isAsked();
      return 'hang';
    };
    const verified = expect(transport.verify(new AbortController().signal)).rejects.toThrow('closed');
    await asked;
    await transport.close();
    await verified;
  });
});

describe('a server that takes too long', () => {
  it('to complete a reply is given up, even if bytes arrive', async () => {
    for (const [verb, outcome] of [
      ['CONNECT', 'deferred'],
      ['EHLO', 'deferred'],
      ['MAIL', 'deferred'],
      ['.', 'unknown'],
    ]) {
      server.answer = (asked) => (asked === verb ? 'trickle' : undefined);
      const transport = transportFor({ connectionTimeout: 250, greetingTimeout: 250, socketTimeout: 500 });
      expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': outcome });
    }
  });

  it('to answer the login test is given up', async () => {
    server.answer = (asked) => (asked === 'MAIL' ? 'trickle' : undefined);
    const { signal } = new AbortController();
    await expect(transportFor({ socketTimeout: 300 }).verify(signal)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('to read a message is given up, and the outcome is known', async () => {
    server.answer = (verb) => (verb === 'DATA' ? '354 go on\r\n|stall' : undefined);
    for (const raw of [
      Buffer.alloc(20_000_000, 'line\r\n'),
      () => Readable.from([Buffer.alloc(20_000_000, 'x\r\n')]),
    ]) {
      const transport = transportFor({ socketTimeout: 500 });
      const sent = transport.send(message({ raw }));
      while (server.count('DATA') === 0) await new Promise((resolve) => setImmediate(resolve));
      const closing = transport.close();
      expect(kinds(await sent)).toEqual({ 'to@to.test': 'deferred' });
      await closing;
      server.connections.length = 0;
    }
  });

  it('for a whole message is given up, although each reply comes in time', async () => {
    server.answer = async (verb) => {
      if (verb === 'RCPT') await new Promise((resolve) => setTimeout(resolve, 100));
      return undefined;
    };
    const recipients = Array.from({ length: 50 }, (_, n) => `${n}@to.test`);
    const outcomes = await transportFor({ messageTimeout: 500 }).send(message({ recipients }));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['deferred']));
  });
});

it('a server that closes after the answer to one message, at a recipient of the next, gets each once', async () => {
  server.extensions = ['PIPELINING'];
  for (const reply of ['421 4.7.0 closing\r\n|close', '550 5.1.1 nobody\r\n|close']) {
    server.connections.length = 0;
    server.answer = (verb, line) => (verb === 'RCPT' && line.includes('bad') ? reply : undefined);
    const transport = transportFor({ maxConnections: 2 });
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        transport.send(message({ recipients: [`${n % 6 ? 'good' : 'bad'}@to.test`] })),
      ),
    );
    const reported = outcomes.map(([one]) => one?.outcome);
    expect(reported).toEqual(
      outcomes.map((_, n) => (n % 6 ? 'accepted' : reply.startsWith('4') ? 'deferred' : 'rejected')),
    );
    expect(server.count('.')).toBe(50);
  }
});

describe('connections', () => {
  /** Sends `count` messages at once; the server answers all final dots when the last one has arrived. */
  async function sendTogether(transport: SmtpTransport, count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => transport.send(message())));
  }

  it('stay within the limit, and every message gets a turn', async () => {
    await sendTogether(transportFor({ maxConnections: 3 }), 20);
    expect(server.count('.')).toBe(20);
    expect(server.mostOpen).toBe(3);
  });

  it('are used for as many messages as allowed', async () => {
    const transport = transportFor({ maxMessagesPerConnection: 2 });
    for (let n = 0; n < 5; n++) await transport.send(message());
    expect(server.connections.map((lines) => lines.filter((line) => line === '.').length)).toEqual([2, 2, 1]);
  });

  it('stay within the limit while a server is slow to answer QUIT', async () => {
    let left = 0;
    let most = 0;
    server.answer = async (verb) => {
      if (verb === 'CONNECT') most = Math.max(most, server.connections.length - left);
      if (verb !== 'QUIT') return undefined;
      for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
      left++;
      return undefined;
    };
    const transport = transportFor({ maxConnections: 2, maxMessagesPerConnection: 1 });
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => transport.send(message())));
    expect(server.connections).toHaveLength(6);
    expect(most).toBe(2);
  });

  it('are closed with QUIT when idle for long enough', async () => {
    await transportFor({ idleTimeout: 20 }).send(message());
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(server.commands.at(-1)).toBe('QUIT');
  });

  it('that the server closed while idle are not used again', async () => {
    const transport = transportFor();
    await transport.send(message());
    server.hangUp();
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'accepted' });
  });

  it('are released when something fails on them', async () => {
    server.answer = (verb, _line, nth) => (verb === 'RCPT' && nth < 3 ? '421 bye\r\n|close' : undefined);
    const transport = transportFor({ maxConnections: 1 });
    const outcomes = [];
    for (let n = 0; n < 4; n++) outcomes.push(kinds(await transport.send(message()))['to@to.test']);
    expect(outcomes).toEqual(['deferred', 'deferred', 'deferred', 'accepted']);
  });

  it('are granted before there is a message, greeted and in order', async () => {
    const transport = transportFor({ maxConnections: 1 });
    const first = await transport.acquireSlot();
    expect(server.count('EHLO')).toBe(1);
    const granted: number[] = [];
    const later = [1, 2].map(async (n) => {
      const slot = await transport.acquireSlot();
      granted.push(n);
      return slot;
    });
    expect(kinds((await first!.send(message())) as RecipientOutcome[])).toEqual({ 'to@to.test': 'accepted' });
    expect(granted).toEqual([]);
    first!.release();
    (await later[0])!.release();
    (await later[1])!.release();
    expect(granted).toEqual([1, 2]);
    expect(server.connections).toHaveLength(1);
  });

  it('are awaited up to the time limit, and not at all once the transport is being closed', async () => {
    const transport = transportFor({ maxConnections: 1 });
    const slot = await transport.acquireSlot();
    expect(await transport.acquireSlot(1)).toBeUndefined();
    const waiting = transport.acquireSlot();
    const closing = transport.close();
    expect(await waiting).toBeUndefined();
    expect(await transport.acquireSlot()).toBeUndefined();
    expect(kinds((await slot!.send(message())) as RecipientOutcome[])).toEqual({ 'to@to.test': 'accepted' });
    slot!.release();
    await closing;
    expect(kinds(await transport.send(message()))).toEqual({ 'to@to.test': 'deferred' });
    await expect(transport.verify()).rejects.toThrow('closed');
  });

  it('are reserved for other destinations by those that have most of them', async () => {
    const transport = transportFor({ maxConnections: 4 });
    const hanging = await Promise.all([1, 2].map(() => transport.acquireSlot(1, 'hangs.test')));
    expect(await transport.acquireSlot(1, 'hangs.test')).toBeUndefined();
    expect(await transport.acquireSlot(1, 'was-slow.test', 'slow')).toBeUndefined();
    let isServed = false;
    const waiting = transport.acquireSlot(undefined, 'hangs.test').finally(() => {
      isServed = true;
    });
    hanging.push(await transport.acquireSlot(1, 'hangs-too.test'));
    expect(await transport.acquireSlot(1, 'new.test')).toBeUndefined();
    const other = await transport.acquireSlot(1, 'other.test', 'quick');
    expect(other).toBeDefined();
    expect(await transport.acquireSlot(1, 'other.test', 'quick')).toBeUndefined();
    hanging.pop()!.release();
    expect(isServed).toBe(false);
    other!.release();
    (await transport.acquireSlot(1, 'third.test'))!.release();
    expect(isServed).toBe(false);
    hanging.pop()!.release();
    hanging.push(await waiting);
    expect(server.mostOpen).toBe(4);
    for (const slot of hanging) slot!.release();
  });

  it('that end before their message began are stale, and can be reopened', async () => {
    const transport = transportFor();
    const slot = await transport.acquireSlot();
    server.hangUp();
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
    let outcomes = await slot!.send(message());
    expect(outcomes).toBe('stale');
    await slot!.reopen();
    outcomes = await slot!.send(message());
    expect(kinds(outcomes as RecipientOutcome[])).toEqual({ 'to@to.test': 'accepted' });
    slot!.release();
    expect(server.count('MAIL')).toBe(1);
  });

  it.each(['550 5.0.0 and no\r\n', '250 and again\r\n', '250 or'])(
    'whose server sent an additional reply (%j) are not used again: it would answer the next message',
    async (more) => {
      server.answer = onlyOnce('.', `250 once\r\n${more}`);
      const transport = transportFor({ maxConnections: 1 });
      const outcomes = await Promise.all([transport.send(message()), transport.send(message())]);
      expect(outcomes.map(kinds)).toEqual([{ 'to@to.test': 'accepted' }, { 'to@to.test': 'accepted' }]);
      expect(server.connections.map((heard) => heard.filter((line) => line.startsWith('MAIL')).length)).toEqual([1, 1]);
    },
  );

  it('that cannot be opened free their slot', async () => {
    server.answer = onlyOnce('CONNECT', '554 no mail here\r\n');
    const transport = transportFor({ maxConnections: 1 });
    const [refused, granted] = [transport.acquireSlot(), transport.acquireSlot()];
    await expect(refused).rejects.toThrow('554 no mail here');
    (await granted)!.release();
  });

  it('that are being reopened are given up when the transport is closed', async () => {
    const transport = transportFor();
    const slot = (await transport.acquireSlot())!;
    server.hangUp();
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
    const connected = new Promise<void>((resolve) => {
      server.answer = (verb) => {
        if (verb !== 'CONNECT') return undefined;
        resolve();
        return new Promise(() => {});
      };
    });
    const reopening = slot.reopen().finally(() => slot.release());
    await connected;
    const closing = transport.close();
    await expect(reopening).rejects.toThrow('closed');
    await expect(slot.reopen()).rejects.toThrow('closed');
    await closing;
  });

  it('are awaited by close()', async () => {
    let release: (() => void) | undefined;
    const atTheDot = new Promise<void>((reached) => {
      server.answer = (verb) => {
        if (verb !== '.') return undefined;
        reached();
        return new Promise((resolve) => {
          release = () => resolve('250 taken\r\n');
        });
      };
    });
    const transport = transportFor();
    const sent = transport.send(message());
    await atTheDot;
    let closed = false;
    const closing = transport.close().then(() => {
      closed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    release?.();
    expect(kinds(await sent)).toEqual({ 'to@to.test': 'accepted' });
    await closing;
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(server.commands.at(-1)).toBe('QUIT');
  });
});

describe('connections to a server with PIPELINING', () => {
  beforeEach(() => {
    server.extensions = ['PIPELINING'];
  });

  /** Resolves when it is true; tests it after every turn of the event loop. */
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Answers the first message when the returned function is called. */
  function holdFirstAnswer(): () => void {
    let release = () => {};
    const answered = new Promise<Reply>((resolve) => {
      release = () => resolve('250 taken\r\n');
    });
    server.answer = (verb, _line, nth) => (verb === '.' && nth === 0 ? answered : undefined);
    return release;
  }

  it('are given to the next message while the answer to the last is awaited', async () => {
    const answer = holdFirstAnswer();
    const transport = transportFor({ maxConnections: 1 });
    const one = await transport.acquireSlot();
    const first = one!.send(message());
    const other = await transport.acquireSlot();
    const second = other!.send(message());
    const third = transport.acquireSlot(1);
    expect(await third).toBeUndefined();
    answer();
    expect([await first, await second].map((outcomes) => kinds(outcomes as RecipientOutcome[]))).toEqual([
      { 'to@to.test': 'accepted' },
      { 'to@to.test': 'accepted' },
    ]);
    for (const slot of [one, other]) slot!.release();
    expect(server.connections).toHaveLength(1);
  });

  it('are not given to another message while the answer to a suspect message is awaited', async () => {
    const answer = holdFirstAnswer();
    const transport = transportFor({ maxConnections: 1 });
    const one = await transport.acquireSlot();
    const first = one!.send({ ...message(), isSuspect: true });
    await until(() => server.count('.') === 1);
    expect(await transport.acquireSlot(1)).toBeUndefined();
    answer();
    await first;
    one!.release();
    (await transport.acquireSlot())!.release();
    expect(server.connections).toHaveLength(1);
  });

  it('are opened in advance when a message got one that awaits an answer', async () => {
    const answer = holdFirstAnswer();
    const transport = transportFor({ maxConnections: 2 });
    const one = await transport.acquireSlot();
    const first = one!.send(message());
    await until(() => server.count('.') === 1);
    const other = await transport.acquireSlot();
    await until(() => server.count('EHLO') === 2);
    answer();
    await first;
    for (const slot of [one, other]) slot!.release();
  });

  it('whose answers take long are not given to other messages', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const answer = holdFirstAnswer();
    const transport = transportFor({ maxConnections: 1 });
    const one = await transport.acquireSlot();
    const first = one!.send(message());
    await until(() => server.count('.') === 1);
    (await transport.acquireSlot())!.release();
    clock.mockReturnValue(1_001);
    const other = transport.acquireSlot();
    expect(await Promise.race([other, Promise.resolve('waits')])).toBe('waits');
    expect(await transport.acquireSlot(1)).toBeUndefined();
    answer();
    (await other)!.release();
    await first;
    one!.release();
    clock.mockRestore();
  });

  it('that cannot be opened while others are open cause no failure of a message', async () => {
    server.answer = (verb, _line, nth) => (verb === 'CONNECT' && nth > 0 ? '421 4.7.0 too many\r\n|close' : undefined);
    const transport = transportFor();
    await transport.send(message());
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => transport.send(message())));
    expect(outcomes.map(kinds)).toEqual(Array.from({ length: 10 }, () => ({ 'to@to.test': 'accepted' })));
    // The first attempts run at the same time; none follows them.
    expect(server.count('CONNECT')).toBeLessThanOrEqual(11);
  });

  it('that cannot be opened while others are open are tried again for callers that still wait', async () => {
    server.answer = (verb, _line, nth) =>
      verb === 'CONNECT' && nth === 1 ? '421 4.7.0 too many\r\n|close' : undefined;
    const transport = transportFor({ maxConnections: 2, hop: 'final' });
    const one = await transport.acquireSlot();
    (await transport.acquireSlot())!.release();
    one!.release();
    expect(server.count('EHLO')).toBe(2);
  });

  it.each([
    ['relay', 2],
    ['final', 4],
  ] as const)('to a %s that says "too much" are %i of 4', async (hop, count) => {
    server.answer = onlyOnce('MAIL', '451 4.7.1 too many messages\r\n');
    const transport = transportFor({ hop, maxConnections: 4 });
    const slots = await Promise.all([1, 2, 3, 4].map(() => transport.acquireSlot()));
    await slots[0]!.send(message());
    for (const slot of slots) slot!.release();
    const again = await Promise.all([1, 2, 3, 4].map(() => transport.acquireSlot(1)));
    expect(again.filter(Boolean)).toHaveLength(count);
    for (const slot of again) slot?.release();
  });

  it('that are being opened are awaited, and given up when the transport is closed', async () => {
    let greet: (() => void) | undefined;
    server.answer = (verb) =>
      verb === 'CONNECT'
        ? new Promise((resolve) => {
            greet = () => resolve('220 hi\r\n');
          })
        : undefined;
    const transport = transportFor({ maxConnections: 1 });
    const patient = transport.acquireSlot(1);
    await until(() => greet !== undefined);
    // It waits behind the first; its time is over after that of the first.
    expect(await transport.acquireSlot(1)).toBeUndefined();
    greet?.();
    const slot = await patient;
    expect(slot).toBeDefined();
    server.hangUp();
    await until(() => server.open === 0);
    slot!.release();
    greet = undefined;
    const waiting = transport.acquireSlot();
    await until(() => greet !== undefined);
    await transport.close();
    expect(await waiting).toBeUndefined();
    await until(() => server.open === 0);
  });

  it('are not given to another message before the answer once a server mixed up pipelined commands', async () => {
    server.answer = (verb, _line, nth) => (verb === '.' && nth === 0 ? '\r\n' : undefined);
    const transport = transportFor({ maxConnections: 1 });
    const outcomes = await Promise.all([1, 2].map(() => transport.send(message())));
    expect(outcomes.map((outcomes) => outcomes[0]?.outcome)).toEqual(['unknown', 'accepted']);
    const one = await transport.acquireSlot();
    let isTold = false;
    server.answer = async (verb) => {
      if (verb !== '.') return undefined;
      expect(await transport.acquireSlot(1)).toBeUndefined();
      expect(isTold).toBe(false);
      return '250 taken\r\n';
    };
    expect(kinds((await one!.send(message())) as RecipientOutcome[])).toEqual({ 'to@to.test': 'accepted' });
    isTold = true;
    one!.release();
  });

  it('carry nothing of a message before the login is answered', async () => {
    server.extensions = ['PIPELINING', 'AUTH PLAIN'];
    server.answer = async (verb) => {
      if (verb !== 'AUTH') return undefined;
      await new Promise((resolve) => setImmediate(resolve));
      expect(server.count('MAIL')).toBe(0);
      return '235 welcome\r\n';
    };
    const sent = transportFor({ url: server.url.replace('//', '//user:pass@') }).send(message());
    expect(kinds(await sent)).toEqual({ 'to@to.test': 'accepted' });
    expect(server.commands.slice(1, 3).map((line) => line.slice(0, 4))).toEqual(['AUTH', 'MAIL']);
  });

  it('carry one command at a time if the server knows only HELO, for any answer', async () => {
    server.answer = (verb, line) => {
      if (verb === 'EHLO') return '502 no\r\n';
      if (verb === 'HELO') return '250 PIPELINING\r\n';
      return verb === 'RCPT' && line.includes('a@') ? '550 no\r\n' : undefined;
    };
    const outcomes = await transportFor().send(message({ recipients: ['a@to.test'] }));
    expect(kinds(outcomes)).toEqual({ 'a@to.test': 'rejected' });
    expect(server.count('DATA')).toBe(0);
  });

  it('end with QUIT after their last message', async () => {
    const transport = transportFor({ maxConnections: 1, maxMessagesPerConnection: 2 });
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => transport.send(message())));
    expect(outcomes.map(kinds)).toEqual(Array.from({ length: 4 }, () => ({ 'to@to.test': 'accepted' })));
    expect(server.connections.map((heard) => heard.filter((line) => line === '.' || line === 'QUIT'))).toEqual([
      ['.', '.', 'QUIT'],
      ['.', '.', 'QUIT'],
    ]);
  });
});
