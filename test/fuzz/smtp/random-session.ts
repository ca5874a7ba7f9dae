import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../support/basics/random.js';
import { SmtpReader } from '../../support/servers/smtp/smtp-reader.js';
import type { Attempt, Copy, Ledger, Place } from './ledger.js';
import { andClosing, oddReply, type Reply, type Stage, usualLine, usualReply, type Words } from './reply.js';

/** Behaviour of a server. */
export interface Temper {
  pipelining: boolean;
  /** True if each command gets at most one reply, of a plausible kind. */
  isInStep: boolean;
  /** Probability of a deviation, from 0 to 1. */
  oddity: number;
}

interface Transaction {
  attempt: Attempt;
  to: string[];
}

class Over extends Error {}

const MESSAGE_ID = /^message-id:\s*<([0-9a-f-]{36})@/im;
const LONGEST_HEADER = 16_384;
/** Recorded bytes of a reply. */
const LONGEST_LINE = 40;
/** Time within which a reset may overtake a reply. Milliseconds. */
const OVERTAKEN = 1_000;

/** One connection of the random server. */
export class RandomSession {
  private readonly reader: SmtpReader;
  private readonly closed: Promise<never>;
  private readonly words: Words;
  /** Probability that a reply waits for the next one while commands wait, from 0 to 1. */
  private readonly coalescing: number;
  /** Replies that wait for the next. */
  private unwritten: { bytes: Buffer; written: () => void }[] = [];
  /** Attempt of the last MAIL. */
  private attempt: Attempt | undefined;
  /** A message without an answer, until all replies to the next envelope were sent. */
  private unanswered: Attempt | undefined;
  private transaction: Transaction | undefined;
  private last: Copy | undefined;
  private readonly dialogue: string[] = [];
  private isInStep = true;
  private hasSaidMore = false;
  /** Number of deviations in the order of replies. */
  private faults = 0;
  private isGone = false;

  constructor(
    private readonly socket: Socket,
    private readonly temper: () => Temper,
    private readonly random: Random,
    private readonly ledger: Ledger,
  ) {
    this.reader = new SmtpReader(socket);
    this.words = random.pick<Words>(['own', 'own', 'same', 'recipient']);
    this.coalescing = random.pick([0, 0.5, 1]);
    this.closed = new Promise((_, reject) => {
      const over = () => {
        this.isGone = true;
        reject(new Over());
      };
      socket.once('end', over).once('close', over);
    });
    this.closed.catch(() => {});
  }

  async run(): Promise<void> {
    try {
      await this.answer('greeting');
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

  private command(line: string): Promise<unknown> {
    this.dialogue.push(line);
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
      case 'HELO':
        return this.hello();
      case 'MAIL':
        return this.mail(address);
      case 'RCPT':
        return this.rcpt(address);
      case 'DATA':
        return this.data();
      case 'RSET':
        this.transaction = undefined;
        return this.answer('rset');
      case 'QUIT':
        return this.answer('quit').then(() => Promise.reject(new Over()));
      default:
        return this.say(usualReply(this.random, '500 5.5.1 unknown command'));
    }
  }

  private hello(): Promise<unknown> {
    const { pipelining } = this.temper();
    const lines = ['250-random.test', ...(pipelining ? ['250-PIPELINING'] : []), '250-8BITMIME', '250 SIZE 50000000'];
    const reply = this.draw('ehlo');
    return this.say(reply.kind === 'usual' ? usualReply(this.random, lines.join('\r\n')) : reply);
  }

  private async mail(sender: string): Promise<void> {
    const attempt = this.ledger.begin(sender, this.place);
    this.attempt = attempt;
    const reply = await this.answer('mail', () => attempt.refused.add(''));
    this.transaction = reply.code < 400 ? { attempt, to: [] } : undefined;
  }

  private async rcpt(address: string): Promise<void> {
    const { transaction } = this;
    this.attempt?.named.add(address);
    if (!transaction) return this.refuseOutOfOrder();
    const reply = await this.answer('rcpt', () => transaction.attempt.refused.add(address));
    if (reply.code < 300) transaction.to.push(address);
  }

  private async data(): Promise<void> {
    const { transaction } = this;
    if (!transaction || transaction.to.length === 0) {
      await this.refuseOutOfOrder(this.random.chance(this.closingShare));
      this.endEnvelope();
      return;
    }
    const reply = await this.answer('data', () => transaction.attempt.refused.add(''));
    this.endEnvelope();
    if (reply.code >= 400) return;
    // Only the content follows now.
    this.flush();
    await this.breakOff();
    const message = await this.reader.message();
    if (message === undefined) throw new Over();
    this.transaction = undefined;
    await this.end(transaction, message);
  }

  private async end(transaction: Transaction, message: Buffer): Promise<void> {
    const reply = this.draw('dot');
    if (isPermanent(reply)) transaction.attempt.refused.add('');
    const isSaid = reply.upTo > 0;
    // A server that closes silently may or may not have accepted the message.
    const isTaken = reply.code < 300 && (isSaid || !reply.isInStep || this.random.chance(0.5));
    const copy = isTaken ? this.take(transaction, message) : undefined;
    this.last = copy;
    this.noteStep(reply);
    if (reply.kind === 'swallowed') this.unanswered = transaction.attempt;
    await this.say(reply, copy);
  }

  private take({ to, attempt: { sender } }: Transaction, message: Buffer): Copy {
    const id = MESSAGE_ID.exec(message.toString('latin1', 0, LONGEST_HEADER))?.[1] ?? '';
    return this.ledger.take({
      id,
      sender,
      to,
      message,
      isInStep: this.isInStep,
      reply: 'none',
      writtenAt: 0,
      isReset: false,
      place: this.place,
    });
  }

  private get place(): Place {
    return { dialogue: this.dialogue, at: this.dialogue.length };
  }

  /** A consequence of an earlier refusal, which judges no recipient. */
  private async refuseOutOfOrder(isLast = false): Promise<void> {
    const reply = usualReply(this.random, this.random.pick(['503 5.5.1 out of order', '554 5.5.1 nobody']));
    await this.say(isLast ? andClosing(reply, this.random) : reply);
  }

  /** All replies to it were said. */
  private endEnvelope(): void {
    if (this.attempt) this.attempt.isUnclear = this.faults > 1;
    this.attempt = undefined;
    this.unanswered = undefined;
  }

  /** Refused envelopes after which the server closes. */
  private get closingShare(): number {
    return this.temper().oddity > 0 ? 0.3 : 0;
  }

  /** The connection ends in the middle of a message. */
  private async breakOff(): Promise<void> {
    if (!this.random.chance(this.temper().oddity / 2)) return;
    await Promise.race([this.reader.has(this.random.int(0, 2_000)), this.closed]);
    // A client that continues has read the earlier replies.
    if (this.reader.isAhead) this.last = undefined;
    this.leave(this.random.pick(['close', 'reset']));
  }

  private draw(stage: Stage): Reply {
    const { oddity, isInStep } = this.temper();
    const isRare = stage === 'greeting' || stage === 'ehlo';
    const line = usualLine(stage, this.words);
    if (!this.random.chance(isRare ? oddity / 4 : oddity)) return usualReply(this.random, line);
    const reply = oddReply(stage, this.random, isInStep, line);
    this.ledger.noteOddity(`${stage} ${reply.kind}`);
    return reply;
  }

  /** @param noteRefusal called before a permanent refusal is sent, with which the connection may end */
  private async answer(stage: Stage, noteRefusal = () => {}): Promise<Reply> {
    const reply = this.draw(stage);
    if (isPermanent(reply)) noteRefusal();
    this.noteStep(reply);
    await this.say(reply);
    return reply;
  }

  /** A client learns from later replies whether the reply to the last message was its own. */
  private noteStep({ isInStep, kind }: Reply): void {
    if (!isInStep) this.faults++;
    this.hasSaidMore ||= kind === 'and one more';
    if (this.attempt) {
      this.attempt.hasExtra = this.hasSaidMore;
      this.attempt.isUnclear = this.faults > 0;
    }
    this.isInStep &&= isInStep;
    if (!this.isInStep && this.last) this.last.isInStep = false;
  }

  private async say({ kind, bytes, upTo, own, parts, pause, end }: Reply, copy?: Copy): Promise<void> {
    const said = bytes.subarray(0, upTo);
    this.dialogue.push(`${said.toString('latin1', 0, LONGEST_LINE).trim()} (${kind})`);
    const step = Math.max(1, Math.ceil(said.length / parts));
    for (let from = 0; from < said.length; from += step) {
      if (pause > 0) {
        this.flush();
        await Promise.race([delay(pause), this.closed]);
      }
      this.write(said.subarray(from, from + step), () => {
        if (!copy) return;
        copy.reply = Math.min(from + step, upTo) >= own ? 'whole' : 'part';
        copy.writtenAt = performance.now();
      });
    }
    if (end !== 'none') this.leave(end);
  }

  /** Servers write when no command waits, or at once. */
  private write(bytes: Buffer, written: () => void): void {
    this.unwritten.push({ bytes, written });
    if (!this.reader.isAhead || !this.random.chance(this.coalescing)) this.flush();
  }

  private flush(): void {
    const all = this.unwritten;
    if (all.length === 0) return;
    if (this.isGone || !this.socket.writable) throw new Over();
    this.unwritten = [];
    this.socket.write(Buffer.concat(all.map(({ bytes }) => bytes)));
    for (const { written } of all) written();
  }

  private leave(how: 'close' | 'reset'): never {
    this.flush();
    const { last, attempt, unanswered } = this;
    // The refusal with which a server hangs up is the answer then.
    if (unanswered && attempt && attempt.refused.size > 0) unanswered.refused.add('');
    if (how === 'reset') {
      if (last) last.isReset = performance.now() - last.writtenAt < OVERTAKEN;
      this.socket.resetAndDestroy();
    }
    throw new Over();
  }
}

function isPermanent({ code, upTo }: Reply): boolean {
  return code >= 500 && upTo > 0;
}
