import type { Socket } from 'node:net';
import { Duplex, Readable } from 'node:stream';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { BuiltMessage } from '../../ports/email-transport.js';
import { extensionsOf } from './smtp-extensions.js';
import { SmtpSession } from './smtp-session.js';
import type { Sent } from './smtp-transaction.js';

/** A socket whose other end is the test. */
class Wire extends Duplex {
  heard = '';
  timeout = 0;
  /** Size of the largest write, in bytes. */
  largest = 0;
  /** True if it stops reading. */
  stalls = false;

  override _read(): void {}

  override _write(bytes: Buffer, _: unknown, done: () => void): void {
    this.heard += bytes.toString();
    this.largest = Math.max(this.largest, bytes.length);
    if (!this.stalls) done();
  }

  setTimeout(ms: number): this {
    this.timeout = ms;
    return this;
  }

  say(text: string): void {
    if (!this.destroyed) this.emit('data', Buffer.from(text, 'latin1'));
  }

  /** Returns the text received since the last call. */
  listen(): string {
    const { heard } = this;
    this.heard = '';
    return heard;
  }
}

const message = (n: number, some: Partial<BuiltMessage> = {}): BuiltMessage => ({
  from: `${n}@from.test`,
  recipients: ['to@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from(`Subject: ${n}\r\n\r\nHello\r\n`),
  ...some,
});

function connected(...offered: string[]) {
  const wire = new Wire();
  const broken: boolean[] = [];
  const session = new SmtpSession(
    { socket: wire as unknown as Socket, extensions: extensionsOf(offered) },
    { quiet() {}, ended() {}, pipeliningSucceeded() {}, pipeliningFailed: (isSure) => broken.push(isSure) },
    { reply: 600_000, message: 3_600_000 },
  );
  return { wire, session, broken };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const kindOf = (sent: Sent) => (sent === 'stale' ? sent : sent.map(({ outcome }) => outcome).join());
const envelope = (n: number) => `MAIL FROM:<${n}@from.test>\r\nRCPT TO:<to@to.test>\r\nDATA\r\n`;
const content = (n: number) => `Subject: ${n}\r\n\r\nHello\r\n.\r\n`;
const READY = '250 m\r\n250 r\r\n354 d\r\n';

/** A test server's replies to one message. */
interface Script {
  mail?: string;
  rcpt?: readonly string[];
  data?: string;
  dot?: string;
}

/** A correct server. Its replies may be lost or garbled on the way. */
class Peer {
  /** Senders of accepted messages. */
  readonly accepted: string[] = [];
  private input = '';
  private sender = '';
  private recipients = 0;
  private inContent = false;
  private said = 0;

  constructor(
    private readonly scripts: readonly Script[],
    /** Replies that replace the nth one. */
    private readonly astray: { nth: number; come: (reply: string) => readonly string[] } = {
      nth: -1,
      come: (r) => [r],
    },
  ) {}

  /** Returns all replies to these bytes. */
  hear(bytes: string): string {
    this.input += bytes;
    const replies: string[] = [];
    for (let end = this.end(); end > 0; end = this.end()) {
      const reply = this.answer(this.input.slice(0, end));
      this.input = this.input.slice(end);
      replies.push(...(this.said++ === this.astray.nth ? this.astray.come(reply) : [reply]));
    }
    return replies.map((reply) => `${reply}\r\n`).join('');
  }

  private end(): number {
    const [mark, length] = this.inContent && !this.input.startsWith('.\r\n') ? ['\r\n.\r\n', 5] : ['\r\n', 2];
    return this.input.indexOf(mark as string) + (length as number) - (this.input.includes(mark as string) ? 0 : 6);
  }

  private answer(line: string): string {
    const script = this.scripts[Number(this.sender.slice(0, 1)) - 1] ?? {};
    if (this.inContent) return this.answerContent(script.dot ?? '250 taken');
    if (line.startsWith('MAIL')) {
      this.sender = /<(.*?)>/.exec(line)?.[1] ?? '';
      this.recipients = 0;
      return this.scripts[Number(this.sender.slice(0, 1)) - 1]?.mail ?? '250 m';
    }
    if (line.startsWith('RCPT')) return this.answerRecipient(script);
    if (line.startsWith('DATA')) return this.answerData(script);
    return line.startsWith('QUIT') ? '221 bye' : '250 forgotten';
  }

  private nthRecipient = 0;

  private answerRecipient(script: Script): string {
    if (script.mail?.startsWith('5')) return '503 MAIL first';
    const reply = script.rcpt?.[this.nthRecipient++ % script.rcpt.length] ?? '250 r';
    if (reply.startsWith('2')) this.recipients++;
    return reply;
  }

  private answerData(script: Script): string {
    this.nthRecipient = 0;
    const reply = this.recipients === 0 ? '503 nobody' : (script.data ?? '354 d');
    this.inContent = reply.startsWith('354');
    return reply;
  }

  private answerContent(reply: string): string {
    this.inContent = false;
    if (reply.startsWith('2')) this.accepted.push(this.sender);
    return reply;
  }
}

/** Sends a message for each script, each as soon as allowed, and ends the connection when nothing moves any more. */
async function deliver(
  offered: string[],
  recipients: number,
  scripts: readonly Script[],
  peer: Peer,
  cutAt = Infinity,
) {
  const { wire, session } = connected(...offered);
  const to = Array.from({ length: recipients }, (_, n) => `to${n}@to.test`);
  const kinds: string[] = [];
  const sendFrom = async (n: number): Promise<void> => {
    if (n >= scripts.length) return;
    let next: Promise<void> | undefined;
    const goOn = () => {
      next ??= sendFrom(n + 1);
    };
    kinds[n] = kindOf(await session.send(message(n + 1, { recipients: to }), goOn));
    goOn();
    await next;
  };
  const sending = sendFrom(0);
  let left = cutAt;
  for (let idle = 0; idle < 3; idle++) {
    await turn();
    const replies = peer.hear(wire.listen());
    if (replies) idle = -1;
    wire.say(replies.slice(0, left));
    left -= replies.length;
    if (left <= 0) break;
  }
  wire.emit('end');
  await sending;
  return kinds;
}

/** Whether a kind of outcome is true for a message that was accepted, or not. */
function isTrue(kind: string, wasAccepted: boolean): boolean {
  const kinds = kind.split(',');
  if (kinds.includes('unknown')) return true;
  return wasAccepted === kinds.includes('accepted');
}

const CONVERSATIONS: Record<string, readonly Script[]> = {
  'that accepts all': [{}, {}, {}, {}],
  'that refuses a message after its dot': [{}, { dot: '554 spam' }, { dot: '452 full' }, {}],
  'that refuses a sender': [{}, { mail: '550 no' }, {}, {}],
  'that refuses DATA': [{}, { data: '451 later' }, {}, { data: '554 no' }],
  'that refuses recipients': [{}, { rcpt: ['550 a', '450 b'] }, {}, { rcpt: ['250 r', '550 b'] }],
};
const OFFERS: [string, string[]][] = [
  ['with', ['PIPELINING']],
  ['without', []],
];

describe.each(OFFERS)('a server %s PIPELINING', (_, offered) => {
  describe.each(Object.entries(CONVERSATIONS))('%s', (_name, scripts) => {
    it('is reported correctly', async () => {
      const peer = new Peer(scripts);
      const kinds = await deliver(offered, 2, scripts, peer);
      expect(kinds.map((kind) => kind.includes('accepted'))).toEqual(
        scripts.map((_script, n) => peer.accepted.includes(`${n + 1}@from.test`)),
      );
      expect(kinds.join()).not.toMatch(/stale|unknown/);
    });

    it.each<[string, (reply: string) => readonly string[]]>([
      ['swallows a reply', () => []],
      ['says a reply twice', (reply) => [reply, reply]],
      ['says 250 too many', (reply) => ['250 extra', reply]],
      ['says 550 too many', (reply) => [reply, '550 extra']],
      ['says 354 too many', (reply) => ['354 extra', reply]],
      ['says nonsense instead', () => ['huh']],
      ['says nonsense too', (reply) => [reply, 'huh']],
      ['says 421 too', (reply) => [reply, '421 bye']],
    ])('and %s, at any place, causes no false outcome', async (_what, come) => {
      const wrong: string[] = [];
      // Without a message behind, the first reply is the answer.
      const goAstray = (reply: string) =>
        offered.length === 0 && /spam|full/.test(reply) ? [reply, ...come(reply).slice(1)] : come(reply);
      for (let nth = 0; nth < 24; nth++) {
        for (const recipients of [1, 2, 3]) {
          const peer = new Peer(scripts, { nth, come: goAstray });
          const kinds = await deliver(offered, recipients, scripts, peer);
          kinds.forEach((kind, n) => {
            if (!isTrue(kind, peer.accepted.includes(`${n + 1}@from.test`)))
              wrong.push(`${nth}: ${recipients} ${n + 1} ${kinds}`);
          });
        }
      }
      expect(wrong).toEqual([]);
    });

    it('and is lost after any byte, is reported as far as it answered', async () => {
      const wrong: string[] = [];
      for (let cutAt = 0; cutAt < 300; cutAt++) {
        const peer = new Peer(scripts);
        const kinds = await deliver(offered, 2, scripts, peer, cutAt);
        kinds.forEach((kind, n) => {
          if (!isTrue(kind, peer.accepted.includes(`${n + 1}@from.test`))) wrong.push(`${cutAt}: ${n + 1} ${kinds}`);
        });
      }
      expect(wrong).toEqual([]);
    });
  });
});

describe('with PIPELINING', () => {
  /** A session whose first message awaits the answer to its dot, with the envelope of a second one behind it. */
  async function inFlight() {
    const { wire, session, broken } = connected('PIPELINING');
    let second: Promise<Sent> | undefined;
    const first = session.send(message(1), () => {
      second = session.send(message(2));
    });
    expect(wire.listen()).toBe(envelope(1));
    wire.say(READY);
    await turn();
    expect(wire.listen()).toBe(content(1) + envelope(2));
    const told: string[] = [];
    void first.then((sent) => told.push(kindOf(sent)));
    return { wire, session, first, second: second as Promise<Sent>, told, broken };
  }

  it('the next envelope goes out right behind the final dot, and is the only one that does', async () => {
    const { wire, session, first, second } = await inFlight();
    let isFree = false;
    wire.say(`250 taken\r\n${READY}`);
    expect(kindOf(await first)).toBe('accepted');
    expect(wire.listen()).toBe(content(2));
    const third = session.send(message(3), () => {
      isFree = true;
    });
    wire.say(`250 taken\r\n250 m\r\n250 r\r\n`);
    await turn();
    expect(isFree).toBe(false);
    wire.say('451 later\r\n');
    expect(kindOf(await second)).toBe('accepted');
    expect(isFree).toBe(true);
    expect(wire.listen()).toBe(`${envelope(3)}RSET\r\n`);
    wire.say('250 forgotten\r\n');
    expect(kindOf(await third)).toBe('deferred');
    expect(session.quiet).toBe(true);
  });

  it('the answer to a message is reported when the replies to the envelope behind it fit', async () => {
    const { wire, told } = await inFlight();
    wire.say('250 taken\r\n250 m\r\n250 r\r\n');
    await turn();
    expect(told).toEqual([]);
    wire.say('354 d\r\n');
    await turn();
    expect(told).toEqual(['accepted']);
  });

  it('the answer to a message is reported after a delay when the replies behind it do not come', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const { wire, told } = await inFlight();
      wire.say('250 taken\r\n');
      await jest.advanceTimersByTimeAsync(999);
      expect(told).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(told).toEqual(['accepted']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('a message without an answer holds the one behind it for a few seconds, and is still reported', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const { wire, told, second } = await inFlight();
      void second.then((sent) => told.push(kindOf(sent)));
      wire.listen();
      await jest.advanceTimersByTimeAsync(4_999);
      expect(told).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(told).toEqual(['stale']);
      wire.say(`250 taken\r\n${READY}`);
      await jest.advanceTimersByTimeAsync(0);
      expect(told).toEqual(['stale', 'accepted']);
      expect([wire.listen(), wire.destroyed]).toEqual(['', true]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('an envelope behind the end of a refused message is awaited once that is answered', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const { wire, session } = connected('PIPELINING');
      let second: Promise<Sent> | undefined;
      const first = session.send(message(1), () => {
        second = session.send(message(2));
      });
      wire.say('250 m\r\n550 r\r\n503 d\r\n');
      expect(wire.listen()).toBe(`${envelope(1)}RSET\r\n${envelope(2)}`);
      wire.say('250 forgotten\r\n250 m\r\n');
      expect(kindOf(await first)).toBe('rejected');
      await jest.advanceTimersByTimeAsync(60_000);
      wire.say('250 r\r\n354 d\r\n');
      wire.say('250 taken\r\n');
      expect(kindOf((await second) as Sent)).toBe('accepted');
    } finally {
      jest.useRealTimers();
    }
  });

  it('no envelope goes ahead to a server that answered the last message late', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const { wire, session, second } = await inFlight();
      await jest.advanceTimersByTimeAsync(1_001);
      wire.say(`250 taken\r\n${READY}`);
      await turn();
      wire.say('250 taken\r\n');
      expect(kindOf(await second)).toBe('accepted');
      let freed = 0;
      for (const late of [true, false, true]) {
        const sent = session.send(message(3), () => freed++);
        wire.say(READY);
        await turn();
        if (late) await jest.advanceTimersByTimeAsync(1_001);
        wire.say('250 taken\r\n');
        await sent;
      }
      // The second was sent ahead of a quick answer, so the third was the first to wait again.
      expect(freed).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('an envelope ahead that the server forgot is not awaited, and may be sent elsewhere', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const { wire, first, second, broken } = await inFlight();
      await jest.advanceTimersByTimeAsync(4_000);
      wire.say('250 taken\r\n');
      await jest.advanceTimersByTimeAsync(9_999);
      expect(wire.destroyed).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect([kindOf(await first), kindOf(await second)]).toEqual(['accepted', 'stale']);
      expect(broken).toEqual([true]);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([
    ['250 taken\r\n421 bye\r\n', [false]],
    [READY, [true]],
    ['250 taken\r\n503 m\r\n503 r\r\n503 d\r\n', [false]],
    ['250 taken\r\n450 m\r\n503 r\r\n503 d\r\n421 too many errors\r\n', [false]],
    ['250 taken\r\n250 m\r\n550 r\r\n554 d\r\n421 too many errors\r\n', [false]],
    [`250 taken\r\n${READY}`, []],
  ])('a server that says %j and closes: it is known whether pipelining is the cause', async (said, is) => {
    const { wire, broken } = await inFlight();
    wire.say(said);
    wire.emit('end');
    expect(broken).toEqual(is);
  });

  it.each([
    ['one reply too few', READY, 'unknown', 'stale'],
    ['one reply too few, all of them refusals but the first', '250 m\r\n550 r\r\n503 d\r\n', 'unknown', 'stale'],
    ['a goodbye', '221 bye\r\n', 'unknown', 'stale'],
    ['nonsense', 'huh\r\n', 'unknown', 'stale'],
    ['half a line', '250 tak', 'unknown', 'stale'],
    ['half a refusal', '554 spa', 'rejected', 'stale'],
    ['another go-ahead', '354 d\r\n', 'unknown', 'stale'],
    ['an answer, and that it closes', '250 taken\r\n421 bye\r\n', 'accepted', 'stale'],
    ['an answer, and goodbye', '250 taken\r\n221 bye\r\n', 'accepted', 'stale'],
    ['that it closes', '421 bye\r\n', 'deferred', 'stale'],
    ['that pipelining is not allowed', '250 taken\r\n503 m\r\n503 r\r\n503 d\r\n', 'accepted', 'stale'],
    ['the same about recipients', '250 taken\r\n250 m\r\n503 r\r\n503 d\r\n', 'accepted', 'stale'],
    ['the same in words', '250 taken\r\n554 SMTP synchronization error\r\n503 r\r\n503 d\r\n', 'accepted', 'stale'],
    [
      'an answer, and a refusal of the envelope behind',
      '250 taken\r\n550 m\r\n503 r\r\n503 d\r\n',
      'accepted',
      'rejected',
    ],
    ['an answer twice', `250 taken\r\n250 taken\r\n${READY}`, 'accepted', 'stale'],
    ['one thing and another', `250 taken\r\n554 no\r\n${READY}`, 'unknown', 'stale'],
    ['an answer, and 421 to a recipient behind', '250 taken\r\n250 m\r\n421 bye\r\n', 'accepted', 'deferred'],
    ['an answer in the words of MAIL, and 421 to a recipient', '250 m\r\n250 m\r\n421 bye\r\n', 'accepted', 'deferred'],
    ['an answer, and hangs up on a recipient behind', '250 taken\r\n250 m\r\n550 r\r\n', 'accepted', 'stale'],
    ['the same in the words of MAIL', '250 m\r\n250 m\r\n550 r\r\n', 'accepted', 'stale'],
    ['an answer, and hangs up behind a refused sender', '250 taken\r\n550 m\r\n503 r\r\n', 'accepted', 'stale'],
    ['an answer and a refusal too many', '250 taken\r\n550 no\r\n250 m\r\n451 r\r\n503 d\r\n', 'accepted', 'stale'],
    ['a refusal, and hangs up on a recipient behind', '554 spam\r\n250 m\r\n550 r\r\n', 'rejected', 'stale'],
    ['an answer, and a go-ahead to MAIL', '250 taken\r\n354 d\r\n', 'accepted', 'stale'],
    ['an answer, and a go-ahead to a recipient', '250 taken\r\n250 m\r\n354 d\r\n', 'accepted', 'stale'],
    ['an answer in the words of MAIL, and a go-ahead', '250 m\r\n250 r\r\n354 d\r\n', 'unknown', 'stale'],
    ['what is about an address, and hangs up', '250 2.1.0 ok\r\n250 r\r\n451 d\r\n', 'unknown', 'stale'],
    ['what is about a recipient, and hangs up', '250 2.1.5 ok\r\n250 2.1.0 m\r\n550 r\r\n', 'accepted', 'stale'],
    ['one reply too many behind all', `250 taken\r\n${READY}250 more\r\n`, 'accepted', 'stale'],
  ])('a server that says %s', async (_what, said, one, other) => {
    const { wire, first, second } = await inFlight();
    wire.say(said);
    wire.emit('end');
    expect([kindOf(await first), kindOf(await second)]).toEqual([one, other]);
    expect(wire.destroyed).toBe(true);
  });

  /** An answer, the refusal of the envelope behind it, and an unrequested end (RFC 5321 section 3.8). */
  const UNASKED: [string, string][] = [
    ['250 taken\r\n450 m\r\n503 r\r\n503 d\r\n421 too many errors\r\n', 'deferred'],
    ['250 taken\r\n550 m\r\n503 r\r\n554 d\r\n421 too many errors\r\n', 'rejected'],
    ['250 taken\r\n450 m\r\n503 r\r\n503 d\r\n221 bye\r\n', 'deferred'],
    ['250 taken\r\n450 m\r\n503 r\r\n503 d\r\n500 too many errors\r\n', 'deferred'],
    ['250 taken\r\n450 m\r\n503 r\r\n221 bye\r\n', 'stale'],
    ['250 taken\r\n450 m\r\n503 r\r\nhuh\r\n', 'stale'],
    ['250 taken\r\n250 m\r\n550 r\r\n554 d\r\n421 too many errors\r\n', 'rejected'],
  ];

  it.each(UNASKED)('the split of %j into packets does not matter', async (said, other) => {
    for (let cut = 1; cut <= said.length; cut++) {
      const { wire, first, second } = await inFlight();
      wire.say(said.slice(0, cut));
      await turn();
      wire.say(said.slice(cut));
      wire.emit('end');
      expect([cut, kindOf(await first), kindOf(await second)]).toEqual([cut, 'accepted', other]);
    }
  });

  it.each([
    ['in its own words', '250 taken\r\n250 m\r\n550 r\r\n', 'accepted'],
    ['in the words of MAIL', '250 m\r\n250 m\r\n550 r\r\n', 'unknown'],
  ])('an answer %s, the refusal of a recipient behind, and then nothing until the end', async (_what, said, kind) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const { wire, first } = await inFlight();
      wire.say(said);
      await jest.advanceTimersByTimeAsync(5_000);
      wire.emit('end');
      expect(kindOf(await first)).toBe(kind);
    } finally {
      jest.useRealTimers();
    }
  });

  it.each([
    // An empty line in place of the answer to the first RCPT, and the replies that follow.
    ['says nothing to a recipient and 503 to DATA', '250 m\r\n\r\n503 5.5.1 no valid recipients\r\n', 'close'],
    ['says nothing to a recipient and falls silent', '250 m\r\n\r\n550 5.1.1 who?\r\n', 'timeout'],
    ['says nothing to a recipient and continues', '250 m\r\n\r\n550 5.1.1 who?\r\n250 r\r\n354 d\r\n', 'close'],
  ])('a server that %s has refused no recipient', async (_what, said, end) => {
    const { wire, session } = connected('PIPELINING');
    const sent = session.send(message(1, { recipients: ['1@to.test', '2@to.test', '3@to.test'] }));
    wire.say(said);
    wire.emit(end);
    expect(kindOf(await sent)).toBe('deferred,deferred,deferred');
  });

  it('a server that closes after a refusal has refused that recipient', async () => {
    const { wire, session } = connected('PIPELINING');
    const sent = session.send(message(1, { recipients: ['1@to.test', '2@to.test'] }));
    wire.say('250 m\r\n550 5.1.1 who?\r\n');
    wire.emit('end');
    expect(kindOf(await sent)).toBe('rejected,deferred');
  });

  describe("takes no reply for a recipient's that may be another command's", () => {
    const TWO = ['a@to.test', 'b@to.test'];

    /** The first message of a connection: replies that come at once, those after a silence, and the end. */
    async function hears(recipients: string[], said: readonly string[], late: (wire: Wire) => void = () => {}) {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
      try {
        const { wire, session } = connected('PIPELINING');
        const sent = session.send(message(1, { recipients }));
        for (const part of said) {
          wire.say(part);
          await turn();
        }
        await jest.advanceTimersByTimeAsync(2_000);
        late(wire);
        return { kind: kindOf(await sent), session };
      } finally {
        jest.useRealTimers();
      }
    }

    it.each([
      ['an empty line to RCPT', '250 m\r\n\r\n503 5.5.1 no valid recipients\r\n'],
      ['an empty line to RCPT, of Postfix', '250 m\r\n\r\n554 5.5.1 no valid recipients\r\n'],
      ['an empty line to MAIL', '\r\n503 5.5.1 MAIL first\r\n503 5.5.1 no valid recipients\r\n'],
      ['an empty line to MAIL, of Postfix', '\r\n503 5.5.1 MAIL first\r\n554 5.5.1 no valid recipients\r\n'],
    ])('%s, and then nothing', async (_what, said) => {
      const ends: ((wire: Wire) => void)[] = [
        (wire) => wire.emit('timeout'),
        (wire) => wire.emit('end'),
        (wire) => wire.say('421 4.4.2 timeout\r\n'),
      ];
      for (const end of ends) expect((await hears(['to@to.test'], [said], end)).kind).toBe('deferred');
    });

    it.each([
      ['the reply to one recipient is left out', ['250 m\r\n550 b\r\n354 d\r\n']],
      ['one reply too many comes first', ['250 m\r\n250 m\r\n250 a\r\n550 b\r\n', '354 d\r\n']],
      ['it is followed by nonsense', ['250 m\r\n550 a\r\nhuh\r\n']],
      ['DATA is refused as out of turn', ['250 m\r\n250 a\r\n250 b\r\n503 no\r\n', '250 forgotten\r\n']],
    ])('%s', async (_what, said) => {
      expect((await hears(TWO, said)).kind).toBe('deferred,deferred');
    });

    it('the replies about recipients after a refused sender', async () => {
      const said = ['451 m\r\n554 5.5.1 no sender\r\n'];
      expect((await hears(['to@to.test'], said, (wire) => wire.emit('end'))).kind).toBe('deferred');
    });

    it.each([
      ['mixed', ['250 m\r\n503 a\r\n550 b\r\n503 none\r\n', '250 forgotten\r\n'], 'deferred,rejected'],
      [
        'refused by RCPT, then DATA',
        ['250 m\r\n550 a\r\n451 b\r\n554 none\r\n', '250 forgotten\r\n'],
        'rejected,deferred',
      ],
    ])('but accepts their own: %s', async (_what, said, kind) => {
      expect((await hears(TWO, said)).kind).toBe(kind);
    });

    it('but accepts a refusal with which a server hangs up', async () => {
      const { wire, session } = connected('PIPELINING');
      const sent = session.send(message(1));
      wire.say('250 m\r\n550 no such user\r\n');
      wire.emit('end');
      expect(kindOf(await sent)).toBe('rejected');
    });

    it('and does not continue after an out-of-turn MAIL', async () => {
      const said = ['503 5.5.1 nested MAIL\r\n250 r\r\n503 d\r\n'];
      const { kind, session } = await hears(['to@to.test'], said);
      expect([kind, session.stands]).toEqual(['deferred', false]);
    });
  });

  it('a go-ahead without recipients gets an empty message', async () => {
    const { wire, session } = connected('PIPELINING');
    const sent = session.send(message(1));
    wire.say('250 m\r\n550 r\r\n354 d\r\n');
    expect(wire.listen()).toBe(`${envelope(1)}.\r\n`);
    wire.say('250 taken, by nobody\r\n');
    expect(kindOf(await sent)).toBe('rejected');
    expect(session.usable).toBe(true);
  });

  it('QUIT follows the final dot, and the answer to the dot is received', async () => {
    const { wire, session } = connected('PIPELINING');
    const sent = session.send(message(1), () => session.quit());
    wire.say(READY);
    await turn();
    expect(wire.listen()).toBe(`${envelope(1)}${content(1)}QUIT\r\n`);
    expect(session.usable).toBe(false);
    wire.say('250 taken\r\n221 bye\r\n');
    expect(kindOf(await sent)).toBe('accepted');
    expect(wire.destroyed).toBe(true);
  });
});

it('without PIPELINING one command is sent after the other, and nothing behind a message', async () => {
  const { wire, session } = connected('SIZE');
  let isFree = false;
  const sent = session.send(message(1), () => {
    isFree = true;
  });
  const heard: string[] = [];
  for (const reply of ['250 m', '250 r', '354 d', '250 taken']) {
    heard.push(wire.listen());
    wire.say(`${reply}\r\n`);
    await turn();
  }
  expect(heard).toEqual(['MAIL FROM:<1@from.test> SIZE=21\r\n', 'RCPT TO:<to@to.test>\r\n', 'DATA\r\n', content(1)]);
  expect(kindOf(await sent)).toBe('accepted');
  expect(isFree).toBe(false);
});

describe.each(OFFERS)('content, %s PIPELINING', (_, offered) => {
  async function goAhead(wire: Wire): Promise<void> {
    for (const line of READY.split(/(?<=\n)/)) {
      wire.say(line);
      await turn();
    }
  }

  it('that cannot be read completely gets no final dot', async () => {
    const { wire, session } = connected(...offered);
    const raw = () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('half');
          throw new Error('gone');
        })(),
      );
    const sent = session.send(message(1, { raw }));
    await goAhead(wire);
    expect(await sent).toMatchObject([{ outcome: 'deferred', reply: { text: 'gone' } }]);
    expect(wire.listen()).toMatch(/DATA\r\nhalf$/);
    expect(wire.destroyed).toBe(true);
  });

  it.each([
    ['552 too much', 'rejected'],
    ['452 too much', 'deferred'],
    ['250 taken', 'deferred'],
  ])('that is answered with "%s" before its end is not completed', async (reply, outcome) => {
    const { wire, session } = connected(...offered);
    const raw = new Readable({ read() {} });
    raw.push('half');
    const sent = session.send(message(1, { raw: () => raw }));
    await goAhead(wire);
    wire.say(`${reply}\r\n`);
    expect(kindOf(await sent)).toBe(outcome);
    expect([raw.destroyed, wire.destroyed]).toEqual([true, true]);
    expect(wire.listen()).toMatch(/half$/);
  });

  it.each(['250 taken\r\n', '550 no\r\n', '25'])('is not sent when %j comes with the go-ahead', async (more) => {
    const { wire, session } = connected(...offered);
    const sent = session.send(message(1));
    wire.say('250 m\r\n');
    wire.say('250 r\r\n');
    wire.say(`354 d\r\n${more}`);
    expect(kindOf(await sent)).toBe('deferred');
    expect(wire.listen()).not.toContain('Subject');
  });
});

describe('limits in time', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
  afterEach(() => jest.useRealTimers());

  const MINUTE = 60_000;

  /** Sends a byte each minute until the connection ends. @returns the minutes until then, up to a day */
  async function trickle(wire: Wire, bytes: string): Promise<number> {
    for (let minute = 0; minute < 1_440; minute++) {
      if (wire.destroyed) return minute;
      wire.say(bytes.charAt(minute % bytes.length));
      await jest.advanceTimersByTimeAsync(MINUTE);
    }
    return 1_440;
  }

  describe.each(OFFERS)('%s PIPELINING', (_, offered) => {
    it.each([
      ['MAIL', [], 'deferred'],
      ['RCPT', ['250 m'], 'deferred'],
      ['DATA', ['250 m', '250 r'], 'deferred'],
      ['a message', ['250 m', '250 r', '354 d'], 'unknown'],
    ])('a whole reply to %s has ten minutes, even if bytes arrive', async (_to, before, kind) => {
      for (const bytes of ['2', '\n', '250-x\r\n']) {
        const { wire, session } = connected(...offered);
        const sent = session.send(message(1));
        for (const reply of before) {
          wire.say(`${reply}\r\n`);
          await turn();
        }
        expect(await trickle(wire, bytes)).toBe(10);
        expect(kindOf(await sent)).toBe(kind);
      }
    });

    it('a reply to RSET has the same limit, and one to QUIT five seconds', async () => {
      const { wire, session } = connected(...offered);
      void session.send(message(1));
      for (const reply of ['250 m', '550 r', ...(offered.length > 0 ? ['503 d'] : [])]) {
        wire.say(`${reply}\r\n`);
        await turn();
      }
      expect(wire.listen()).toMatch(/RSET\r\n$/);
      expect(await trickle(wire, '2')).toBe(10);

      const left = connected(...offered);
      left.session.quit();
      for (let second = 0; second < 5; second++) {
        expect(left.wire.destroyed).toBe(false);
        left.wire.say('2');
        await jest.advanceTimersByTimeAsync(1_000);
      }
      expect(left.wire.destroyed).toBe(true);
    });
  });

  it('a message has an hour in all, though each reply comes in time', async () => {
    const { wire, session } = connected();
    const recipients = Array.from({ length: 50 }, (_, n) => `${n}@to.test`);
    const sent = session.send(message(1, { recipients }));
    let minutes = 0;
    for (; !wire.destroyed && minutes < 1_440; minutes += 9) {
      wire.say('250 ok\r\n');
      await jest.advanceTimersByTimeAsync(9 * MINUTE);
    }
    expect(minutes).toBe(63);
    expect(kindOf(await sent)).toMatch(/^deferred(,deferred){49}$/);
  });

  it('a slow content is limited by the hour of its message', async () => {
    const { wire, session } = connected('PIPELINING');
    wire.stalls = true;
    const raw = new Readable({ read() {} });
    const sent = session.send(message(1, { raw: () => raw }));
    wire.say(READY);
    await turn();
    for (let minute = 0; minute < 60; minute++) {
      expect(wire.destroyed).toBe(false);
      raw.push('a line\r\n');
      await jest.advanceTimersByTimeAsync(MINUTE);
    }
    expect(kindOf(await sent)).toBe('deferred');
    expect([wire.destroyed, raw.destroyed]).toEqual([true, true]);
  });

  it('trickled bytes do not extend the time of an envelope ahead', async () => {
    const { wire, session, broken } = connected('PIPELINING');
    let second: Promise<Sent> | undefined;
    const first = session.send(message(1), () => {
      second = session.send(message(2));
    });
    wire.say(READY);
    await turn();
    wire.say('250 taken\r\n');
    for (let second = 0; second < 10; second++) {
      expect(wire.destroyed).toBe(false);
      wire.say('2');
      await jest.advanceTimersByTimeAsync(1_000);
    }
    expect(wire.destroyed).toBe(true);
    expect([kindOf(await first), kindOf((await second) as Sent)]).toEqual(['accepted', 'stale']);
    expect(broken).toEqual([true]);
  });
});

it('a message larger than a piece is sent completely, in pieces, with its dots doubled', async () => {
  const { wire, session } = connected('PIPELINING');
  const lines = '.a line\r\n'.repeat(100_000);
  const sent = session.send(message(1, { raw: Buffer.from(lines) }));
  wire.say(READY);
  while (!wire.heard.endsWith('\r\n.\r\n')) await turn();
  expect(wire.heard).toBe(`${envelope(1)}${'..a line\r\n'.repeat(100_000)}.\r\n`);
  expect(wire.largest).toBeLessThanOrEqual(2 * 65_536);
  wire.say('250 taken\r\n');
  expect(kindOf(await sent)).toBe('accepted');
});

it.each([
  [['PIPELINING', '8BITMIME'], ' BODY=8BITMIME', 'eight'],
  [['8BITMIME'], ' BODY=8BITMIME', 'eight'],
  [['PIPELINING'], '', 'seven'],
])('a message with bytes above 127 is sent accordingly where %j is offered', async (offered, parameter, content) => {
  const { wire, session } = connected(...offered);
  const open = (text: string) => () => Readable.from([Buffer.from(`${text}\r\n`)]);
  const sent = session.send(message(1, { raw: open('eight'), raw7Bit: open('seven') }));
  for (const reply of ['250 m', '250 r', '354 d']) {
    wire.say(`${reply}\r\n`);
    await turn();
  }
  while (!wire.heard.endsWith('\r\n.\r\n')) await turn();
  wire.say('250 taken\r\n');
  expect(kindOf(await sent)).toBe('accepted');
  expect(wire.heard).toMatch(new RegExp(`^MAIL FROM:<1@from.test>${parameter}\r\n`));
  expect(wire.heard).toMatch(new RegExp(`DATA\r\n${content}\r\n.\r\n$`));
});

it('reports each message at the end, for any replies, and only messages on the wire as maybe sent', async () => {
  const said = fc.constantFrom(
    '250 m\r\n',
    '354 d\r\n',
    '550 no\r\n',
    '421 bye\r\n',
    '221 bye\r\n',
    '250-',
    '25',
    '\r\n',
    'huh\r\n',
    READY,
  );
  const offered = fc.constantFrom(['PIPELINING'], []);
  await fc.assert(
    fc.asyncProperty(offered, fc.array(said, { maxLength: 12 }), async (offers, chunks) => {
      const { wire, session } = connected(...offers);
      const told: Promise<Sent>[] = [];
      const sendNext = () => {
        if (told.length < 4) told.push(session.send(message(told.length + 1), sendNext));
      };
      sendNext();
      for (const chunk of chunks) {
        wire.say(chunk);
        await turn();
        if (session.quiet) sendNext();
      }
      wire.emit('end');
      const kinds = (await Promise.all(told)).map(kindOf);
      kinds.forEach((kind, n) => {
        const wasComplete = wire.heard.includes(content(n + 1));
        if (!wasComplete) expect(kind).toMatch(/^(?:deferred|rejected|stale)$/);
        if (wasComplete) expect(kind).not.toBe('stale');
      });
    }),
    { numRuns: 300 },
  );
});

describe('reports on a delivery', () => {
  const dsn = { ret: 'headers', envelopeId: 'id 1', notify: ['success', 'failure'] } as const;

  it.each([
    ['with', ['PIPELINING', 'DSN']],
    ['without', ['DSN']],
  ])('are asked for where they are offered, %s PIPELINING', async (_, offered) => {
    const { wire, session } = connected(...offered);
    const sent = session.send(message(1, { dsn }));
    const heard = [wire.listen()];
    for (const reply of ['250 m\r\n', '250 r\r\n', '354 d\r\n', '250 taken\r\n']) {
      wire.say(reply);
      await turn();
      heard.push(wire.listen());
    }
    expect(kindOf(await sent)).toBe('accepted');
    expect(heard.join('')).toBe(
      'MAIL FROM:<1@from.test> RET=HDRS ENVID=id+201\r\n' +
        'RCPT TO:<to@to.test> NOTIFY=SUCCESS,FAILURE ORCPT=rfc822;to@to.test\r\nDATA\r\n' +
        content(1),
    );
  });

  it('are not asked for where they are not', () => {
    const { wire, session } = connected('PIPELINING');
    void session.send(message(1, { dsn }));
    expect(wire.listen()).toBe(envelope(1));
  });

  it('that are invalid are refused, and nothing is sent', async () => {
    const { wire, session } = connected('PIPELINING', 'DSN');
    const sent = await session.send(message(1, { dsn: { notify: ['never', 'delay'] } }));
    expect(sent).toMatchObject([
      { outcome: 'rejected', reply: { error: 'EDSN', text: expect.stringContaining('dsn.notify') } },
    ]);
    expect(wire.listen()).toBe('');
  });
});
