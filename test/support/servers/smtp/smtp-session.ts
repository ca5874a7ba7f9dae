import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { SmtpReader } from './smtp-reader.js';
import type { Action, Conversation, Deviation, SmtpEnvelope, SmtpScript, Stage } from './smtp-script.js';

class Over extends Error {}

const USUAL: Readonly<Record<Exclude<Stage, 'ehlo'>, string>> = {
  greeting: '220 sink.test ESMTP',
  auth: '235 2.7.0 welcome',
  mail: '250 2.1.0 sender ok',
  rcpt: '250 2.1.5 recipient ok',
  data: '354 go on',
  dot: '250 2.0.0 taken',
  rset: '250 2.0.0 forgotten',
  quit: '221 2.0.0 bye',
};

/** Replies that a client may interpret as a refusal. */
const REFUSAL = /^\s*[45]/;
/** A refusal in the same packet as the 354: a client has to treat it as the reply to its message. */
const TAKEN_BACK = /\n[45]/;
/** Replies after which a client sends the message: some servers reply 250 to DATA. */
const GO_AHEAD = /^\s*[23]/;

const OFFERS_PIPELINING = /^250[ -]PIPELINING\s*$/im;
/** Commands after which more may follow, RFC 2920 section 3.1. */
const WITHIN_A_GROUP: readonly Stage[] = ['mail', 'rcpt', 'dot', 'rset'];

/**
 * One connection of a server that follows RFC 5321 with the deviations of its script, one command after the other,
 * message after message.
 */
export class SmtpSession {
  private readonly reader: SmtpReader;
  private readonly closed: Promise<never>;
  private envelope: SmtpEnvelope | undefined;
  private sender = '';
  private authenticated = false;
  private busy = true;
  private offersPipelining = false;
  /** After a deviation it is unknown what a client waits for. */
  private hasDeviated = false;

  constructor(
    private readonly socket: Socket,
    private readonly script: SmtpScript,
  ) {
    this.reader = new SmtpReader(socket);
    this.closed = new Promise((_, reject) => socket.once('close', () => reject(new Over())));
    this.closed.catch(() => {});
  }

  /** True between two messages. */
  get idle(): boolean {
    return !this.busy;
  }

  async run(): Promise<void> {
    try {
      await this.reply('greeting');
      for (;;) {
        this.busy = this.sender !== '';
        const line = await this.reader.line();
        this.busy = true;
        // A session whose client has disconnected sends no reply, and must not count one.
        if (line === undefined || !this.socket.writable) throw new Over();
        await this.command(line);
      }
    } catch (error) {
      if (!(error instanceof Over)) throw error;
    } finally {
      this.socket.end();
    }
  }

  private async command(line: string): Promise<void> {
    if (/[\r\n\0]/.test(line)) return this.say('500 5.5.2 a line ends with CR LF and has neither within');
    const [verb = ''] = line.split(' ', 1);
    const rest = line.slice(verb.length).trim();
    switch (verb.toUpperCase()) {
      case 'EHLO':
      case 'HELO':
        return this.hello(verb.toUpperCase() === 'EHLO' ? this.extensions() : []);
      case 'AUTH':
        return this.auth(rest);
      case 'MAIL':
        return this.mail(rest);
      case 'RCPT':
        return this.rcpt(rest);
      case 'DATA':
        return this.data();
      case 'RSET':
        await this.reply('rset');
        return this.forget();
      case 'NOOP':
        return this.say('250 2.0.0 nothing done');
      case 'QUIT':
        await this.reply('quit');
        throw new Over();
      default:
        return this.say('500 5.5.1 unknown command');
    }
  }

  private async hello(extensions: readonly string[]): Promise<void> {
    this.forget();
    const usual = this.script.usual?.ehlo ?? replyLines(250, ['sink.test', ...extensions]);
    this.offersPipelining = OFFERS_PIPELINING.test(await this.perform(await this.due('ehlo'), usual));
  }

  private extensions(): string[] {
    return [...(this.script.extensions ?? []), ...(this.script.credentials ? ['AUTH PLAIN'] : [])];
  }

  private async auth(argument: string): Promise<void> {
    const { credentials } = this.script;
    const [, encoded] = /^PLAIN (\S+)$/i.exec(argument) ?? [];
    const expected = credentials && Buffer.from(`\0${credentials.user}\0${credentials.pass}`).toString('base64');
    if (encoded === undefined || encoded !== expected) return this.say('535 5.7.8 wrong credentials');
    this.authenticated = (await this.reply('auth')).startsWith('2');
  }

  private async mail(argument: string): Promise<void> {
    const path = parsePath('FROM', argument);
    if (!path) return this.say('501 5.5.4 MAIL FROM:<address>');
    if (this.script.credentials && !this.authenticated) return this.say('530 5.7.0 authentication required');
    if (this.envelope) return this.say('503 5.5.1 a sender was named already');
    this.sender = path.address;
    const reply = await this.reply('mail');
    if (!REFUSAL.test(reply)) this.envelope = { from: path.address, to: [], parameters: path.parameters };
  }

  private async rcpt(argument: string): Promise<void> {
    const path = parsePath('TO', argument);
    if (!path?.address) return this.say('501 5.5.4 RCPT TO:<address>');
    if (!this.envelope) return this.say('503 5.5.1 MAIL first');
    const reply = await this.reply('rcpt', { recipient: path.address });
    if (reply.trimStart().startsWith('2')) this.envelope.to.push(path.address);
  }

  private async data(): Promise<void> {
    const { envelope } = this;
    if (!envelope || envelope.to.length === 0) return this.say('503 5.5.1 no valid recipients');
    const deviation = await this.due('data', { envelope });
    const inside =
      deviation?.action.kind === 'hold' && deviation.action.bytes !== undefined ? deviation.action : undefined;
    const reply = await this.perform(inside ? undefined : deviation, this.usual('data'));
    if (!GO_AHEAD.test(reply)) return;
    if (inside) {
      await this.reader.has(inside.bytes ?? 0);
      await this.wait(inside);
    }
    const raw = await this.reader.message();
    if (raw === undefined) throw new Over();
    this.envelope = undefined;
    const message = { envelope, raw, receivedAt: new Date() };
    const end = await this.due('dot', { message });
    const refused = TAKEN_BACK.test(reply) || REFUSAL.test(wordsOf(end?.action, this.usual('dot')));
    if (end?.taken ?? !refused) await this.script.take(message);
    await this.perform(end, this.usual('dot'));
    this.forget();
  }

  private forget(): void {
    this.envelope = undefined;
    this.sender = '';
  }

  private usual(stage: Exclude<Stage, 'ehlo'>): string {
    return this.script.usual?.[stage] ?? USUAL[stage];
  }

  /** The script's action for this stage. */
  private async due(stage: Stage, now: Omit<Conversation, 'sender'> = {}): Promise<Deviation | undefined> {
    if (this.reader.isAhead && !this.hasDeviated) {
      this.script.ahead?.(stage, this.offersPipelining && WITHIN_A_GROUP.includes(stage));
    }
    const deviation = await Promise.race([this.script.next(stage, { sender: this.sender, ...now }), this.closed]);
    this.hasDeviated ||= deviation !== undefined;
    return deviation;
  }

  private async reply(stage: Exclude<Stage, 'ehlo'>, now?: Omit<Conversation, 'sender'>): Promise<string> {
    return this.perform(await this.due(stage, now), this.usual(stage));
  }

  /** Resolves with the sent reply; rejects when the session is over. */
  private async perform(deviation: Deviation | undefined, usual: string): Promise<string> {
    const action = deviation?.action;
    switch (action?.kind) {
      case undefined:
        return this.sayLine(usual);
      case 'say':
        return this.sayLine(action.line, action.last);
      case 'bytes':
        await this.sayBytes(action);
        if (action.last) throw new Over();
        return wordsOf(action, '');
      case 'skip':
        return usual;
      case 'trickle':
        for (const byte of Buffer.from(`${action.line}\r\n`)) {
          this.socket.write(Buffer.of(byte));
          await Promise.race([delay(action.every), this.closed]);
        }
        return action.line;
      case 'truncate':
        this.socket.write(action.line.slice(0, Math.ceil(action.line.length / 2)));
        throw new Over();
      case 'close':
        throw new Over();
      case 'drop':
        this.socket.destroy();
        throw new Over();
      case 'reset':
        this.socket.resetAndDestroy();
        throw new Over();
      case 'silence':
        return this.closed;
      case 'hold':
        await this.wait(action);
        return this.sayLine(usual);
    }
  }

  private async sayBytes({ bytes, apart }: Action & { kind: 'bytes' }): Promise<void> {
    const step = apart ? 1 : bytes.length;
    for (let at = 0; at < bytes.length && this.socket.writable; at += step) {
      this.socket.write(bytes.subarray(at, at + step));
      if (apart) await nextTurn();
    }
  }

  private async wait(hold: Action & { kind: 'hold' }): Promise<void> {
    hold.reached();
    await Promise.race([hold.released, this.closed]);
  }

  private sayLine(line: string, last = false): string {
    this.say(line);
    // RFC 5321, section 3.8: a server closes after 421.
    if (last || line.startsWith('421')) throw new Over();
    return line;
  }

  private say(line: string): void {
    if (this.socket.writable) this.socket.write(`${line}\r\n`);
  }
}

/** Output, each byte as one character. */
function wordsOf(action: Action | undefined, usual: string): string {
  if (action?.kind === 'bytes') return action.bytes.toString('latin1');
  return action && 'line' in action ? action.line : usual;
}

function replyLines(code: number, lines: readonly string[]): string {
  return lines.map((line, index) => `${code}${index === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n');
}

/** `FROM:<a@b.c> SIZE=1`: the address may have a quoted local part with any character in it. */
function parsePath(keyword: string, argument: string): { address: string; parameters: string[] } | undefined {
  const match = /^([A-Za-z]+):\s*<((?:"(?:\\.|[^"\\])*"|[^">])*)>(.*)$/s.exec(argument);
  if (match?.[1]?.toUpperCase() !== keyword) return undefined;
  return { address: match[2] ?? '', parameters: (match[3] ?? '').split(' ').filter(Boolean) };
}
