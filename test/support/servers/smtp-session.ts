import type { Socket } from 'node:net';
import { SmtpReader } from './smtp-reader.js';

export interface SmtpEnvelope {
  /** The reverse path as the client wrote it, without the angle brackets; empty for `<>`. */
  from: string;
  to: string[];
  /** What followed the reverse path, such as `BODY=8BITMIME`, `SMTPUTF8`, `SIZE=123`. */
  parameters: string[];
}

export interface SinkMessage {
  envelope: SmtpEnvelope;
  /** The message, byte for byte as it was before dot-stuffing. */
  raw: Buffer;
  receivedAt: Date;
}

/** A reply line such as `451 4.7.1 later`, or: close the connection without a word, or never say anything again. */
export type Verdict = string | 'drop' | 'hang';

/** What a session asks its sink; every answer may be undefined for "as usual". */
export interface SmtpVerdicts {
  extensions: readonly string[];
  credentials: { user: string; pass: string } | undefined;
  connect(): Promise<Verdict | undefined>;
  mail(from: string): Promise<Verdict | undefined>;
  rcpt(address: string): Promise<Verdict | undefined>;
  data(envelope: SmtpEnvelope): Promise<Verdict | undefined>;
  message(message: SinkMessage): Promise<Verdict>;
}

class Over extends Error {}

/** One connection of the sink: RFC 5321 without pipelining, one message after the other. */
export class SmtpSession {
  private readonly reader: SmtpReader;
  private readonly closed: Promise<never>;
  private envelope: SmtpEnvelope | undefined;
  private authenticated = false;

  constructor(
    private readonly socket: Socket,
    private readonly verdicts: SmtpVerdicts,
  ) {
    this.reader = new SmtpReader(socket);
    this.closed = new Promise((_, reject) => socket.once('close', () => reject(new Over())));
    this.closed.catch(() => {});
  }

  async run(): Promise<void> {
    try {
      const greeting = await this.answer(this.verdicts.connect(), '220 sink.test ESMTP');
      if (!greeting.startsWith('2')) throw new Over();
      for (;;) {
        const line = await this.reader.line();
        if (line === undefined) throw new Over();
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
        this.envelope = undefined;
        return this.say(replyLines(250, ['sink.test', ...(verb.toUpperCase() === 'EHLO' ? this.extensions() : [])]));
      case 'AUTH':
        return this.auth(rest);
      case 'MAIL':
        return this.mail(rest);
      case 'RCPT':
        return this.rcpt(rest);
      case 'DATA':
        return this.data();
      case 'RSET':
        this.envelope = undefined;
        return this.say('250 2.0.0 forgotten');
      case 'NOOP':
        return this.say('250 2.0.0 nothing done');
      case 'QUIT':
        this.say('221 2.0.0 bye');
        throw new Over();
      default:
        return this.say('500 5.5.1 unknown command');
    }
  }

  private extensions(): string[] {
    return [...this.verdicts.extensions, ...(this.verdicts.credentials ? ['AUTH PLAIN'] : [])];
  }

  private auth(argument: string): void {
    const { credentials } = this.verdicts;
    const [, encoded] = /^PLAIN (\S+)$/i.exec(argument) ?? [];
    const expected = credentials && Buffer.from(`\0${credentials.user}\0${credentials.pass}`).toString('base64');
    this.authenticated = encoded !== undefined && encoded === expected;
    this.say(this.authenticated ? '235 2.7.0 welcome' : '535 5.7.8 wrong credentials');
  }

  private async mail(argument: string): Promise<void> {
    const path = parsePath('FROM', argument);
    if (!path) return this.say('501 5.5.4 MAIL FROM:<address>');
    if (this.verdicts.credentials && !this.authenticated) return this.say('530 5.7.0 authentication required');
    if (this.envelope) return this.say('503 5.5.1 a sender was named already');
    const reply = await this.answer(this.verdicts.mail(path.address), '250 2.1.0 sender ok');
    if (reply.startsWith('2')) this.envelope = { from: path.address, to: [], parameters: path.parameters };
  }

  private async rcpt(argument: string): Promise<void> {
    const path = parsePath('TO', argument);
    if (!path?.address) return this.say('501 5.5.4 RCPT TO:<address>');
    if (!this.envelope) return this.say('503 5.5.1 MAIL first');
    const reply = await this.answer(this.verdicts.rcpt(path.address), '250 2.1.5 recipient ok');
    if (reply.startsWith('2')) this.envelope.to.push(path.address);
  }

  private async data(): Promise<void> {
    const { envelope } = this;
    if (!envelope || envelope.to.length === 0) return this.say('503 5.5.1 no valid recipients');
    const reply = await this.answer(this.verdicts.data(envelope), '354 go on');
    if (!reply.startsWith('3')) return;
    const raw = await this.reader.message();
    if (raw === undefined) throw new Over();
    this.envelope = undefined;
    await this.answer(this.verdicts.message({ envelope, raw, receivedAt: new Date() }), '250 2.0.0 taken');
  }

  /** Says what the verdict asks for and gives it back; ends the session when it says nothing. */
  private async answer(verdict: Promise<Verdict | undefined>, usual: string): Promise<string> {
    const reply = (await Promise.race([verdict, this.closed])) ?? usual;
    if (reply === 'hang') return this.closed;
    if (reply === 'drop') {
      this.socket.destroy();
      throw new Over();
    }
    this.say(reply);
    // RFC 5321, 3.8: after 421 the server closes.
    if (reply.startsWith('421')) throw new Over();
    return reply;
  }

  private say(reply: string): void {
    if (this.socket.writable) this.socket.write(`${reply}\r\n`);
  }
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
