import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { ByteReader } from './byte-reader.js';
import type { Action, Stage, Step } from './script.js';

/** What a session asks and tells its sink. */
export interface SessionHooks {
  /** The deviation that is due here, if any. `names`: what it may be planned for, the narrowest first. */
  next(stage: Stage, names: readonly string[]): Step | undefined;
  /** The message is taken. What this resolves for is on the disk. */
  take(recipients: readonly string[], message: Buffer): Promise<void>;
}

class Over extends Error {}

const USUAL: Record<Stage, string> = {
  greeting: '220 s',
  ehlo: '250 s',
  mail: '250 m',
  rcpt: '250 r',
  data: '354 d',
  dot: '250 taken',
  rset: '250 o',
  quit: '221 q',
};

/** What a client may take for a refusal of the message. */
const REFUSAL = /^\s*[45]/;
/** A refusal after the go-ahead in one breath: a client has to take it for the answer to its message. */
const TAKEN_BACK = /\n[45]/;
/** After which a client sends the message: some servers say 250 at DATA. */
const GO_AHEAD = /^\s*[23]/;

/** One connection. Replies are short, so that one byte a second does not take minutes. */
export class SinkSession {
  private readonly reader: ByteReader;
  private readonly closed: Promise<never>;
  private busy = true;
  private sender = '';
  private recipients: string[] = [];

  constructor(
    private readonly socket: Socket,
    private readonly hooks: SessionHooks,
  ) {
    this.reader = new ByteReader(socket);
    this.closed = new Promise((_, reject) => socket.once('close', () => reject(new Over())));
    this.closed.catch(() => {});
  }

  /** True between two messages. */
  get idle(): boolean {
    return !this.busy;
  }

  async run(): Promise<void> {
    try {
      await this.reply('greeting', []);
      for (;;) {
        this.busy = this.sender !== '';
        const line = await this.reader.line();
        this.busy = true;
        await this.command(line);
      }
    } catch (error) {
      if (!(error instanceof Over)) throw error;
    } finally {
      this.socket.end();
    }
  }

  private async command(line: string | undefined): Promise<void> {
    if (line === undefined) throw new Over();
    const verb = line.slice(0, 4).toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'EHLO' || verb === 'HELO') {
      await this.reply('ehlo', []);
    } else if (verb === 'MAIL') {
      this.sender = address;
      this.recipients = [];
      await this.reply('mail', [address]);
    } else if (verb === 'RCPT') {
      if ((await this.reply('rcpt', [address, this.sender])).trimStart().startsWith('2')) this.recipients.push(address);
    } else if (verb === 'DATA') {
      await this.data();
    } else if (verb === 'QUIT') {
      await this.reply('quit', []);
      throw new Over();
    } else if (verb === 'RSET') {
      await this.reply('rset', [this.sender]);
      this.sender = '';
    } else {
      this.say(verb === 'NOOP' ? '250 o' : '500 5.5.1 unknown command');
    }
  }

  private async data(): Promise<void> {
    if (this.recipients.length === 0) return this.say('503 5.5.1 no valid recipients');
    const step = this.hooks.next('data', [this.sender]);
    const inside = step?.action.kind === 'hold' && step.action.bytes !== undefined ? step.action : undefined;
    const reply = await this.perform('data', inside ? undefined : step?.action);
    if (!GO_AHEAD.test(reply)) return;
    if (inside) {
      await this.reader.has(inside.bytes ?? 0);
      await this.wait(inside);
    }
    const message = await this.reader.message();
    if (!message) throw new Over();
    await this.end(message, TAKEN_BACK.test(reply));
  }

  private async end(message: Buffer, takenBack: boolean): Promise<void> {
    const step = this.hooks.next('dot', [this.sender]);
    if (step?.taken ?? !(takenBack || REFUSAL.test(wordsOf(step?.action, USUAL.dot))))
      await this.hooks.take(this.recipients, message);
    await this.perform('dot', step?.action);
    this.sender = '';
  }

  private reply(stage: Stage, names: readonly string[]): Promise<string> {
    return this.perform(stage, this.hooks.next(stage, names)?.action);
  }

  /** Resolves with the line that was said; rejects when the conversation is over. */
  private async perform(stage: Stage, action: Action | undefined): Promise<string> {
    switch (action?.kind) {
      case undefined:
        return this.sayLine(USUAL[stage]);
      case 'say':
        return this.sayLine(action.line);
      case 'bytes':
        await this.sayBytes(action);
        return wordsOf(action, '');
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
      case 'reset':
        this.socket.resetAndDestroy();
        throw new Over();
      case 'silence':
        return this.closed;
      case 'hold':
        await this.wait(action);
        return this.sayLine(USUAL[stage]);
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

  private sayLine(line: string): string {
    this.say(line);
    // RFC 5321, section 3.8: who says 421 closes.
    if (line.startsWith('421')) throw new Over();
    return line;
  }

  private say(line: string): void {
    if (this.socket.writable) this.socket.write(`${line}\r\n`);
  }
}

/** What is said, each byte as one character. */
function wordsOf(action: Action | undefined, usual: string): string {
  if (action?.kind === 'bytes') return action.bytes.toString('latin1');
  return action && 'line' in action ? action.line : usual;
}
