import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../support/basics/random.js';
import { SmtpReader } from '../../support/servers/smtp/smtp-reader.js';
import { type Copy, isFinal, type Ledger, type Place } from './ledger.js';
import { oddReply, type Reply, type Stage, usualReply } from './reply.js';

/** How a server behaves. */
export interface Temper {
  pipelining: boolean;
  /** Whether each command gets one reply, if any, and one that can be its own. */
  isInStep: boolean;
  /** How often something else is done than the usual, from 0 to 1. */
  oddity: number;
}

interface Transaction {
  sender: string;
  named: string[];
  to: string[];
}

class Over extends Error {}

const MESSAGE_ID = /^message-id:\s*<([0-9a-f-]{36})@/im;
const LONGEST_HEADER = 16_384;
/** Bytes of a reply that are kept. */
const LONGEST_LINE = 40;

/** One connection of the random server. */
export class RandomSession {
  private readonly reader: SmtpReader;
  private readonly closed: Promise<never>;
  private transaction: Transaction | undefined;
  private last: Copy | undefined;
  private readonly dialogue: string[] = [];
  private isInStep = true;
  private isGone = false;

  constructor(
    private readonly socket: Socket,
    private readonly temper: () => Temper,
    private readonly random: Random,
    private readonly ledger: Ledger,
  ) {
    this.reader = new SmtpReader(socket);
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
        return this.say(usualReply('rset', this.random, '500 5.5.1 unknown command'));
    }
  }

  private hello(): Promise<unknown> {
    const { pipelining } = this.temper();
    const lines = ['250-random.test', ...(pipelining ? ['250-PIPELINING'] : []), '250-8BITMIME', '250 SIZE 50000000'];
    const reply = this.draw('ehlo');
    return this.say(reply.kind === 'usual' ? usualReply('ehlo', this.random, lines.join('\r\n')) : reply);
  }

  private async mail(sender: string): Promise<void> {
    const transaction = { sender, named: [], to: [] };
    this.ledger.name(sender, this.place);
    const reply = await this.answer('mail', () => this.ledger.refuse(sender, ['']));
    this.transaction = reply.code < 400 ? transaction : undefined;
  }

  private async rcpt(address: string): Promise<void> {
    const { transaction } = this;
    if (!transaction) return this.refuseOutOfOrder();
    transaction.named.push(address);
    const reply = await this.answer('rcpt', () => this.ledger.refuse(transaction.sender, [address]));
    if (reply.code < 300) transaction.to.push(address);
  }

  private async data(): Promise<void> {
    const { transaction } = this;
    if (!transaction || transaction.to.length === 0) return this.refuseOutOfOrder();
    const reply = await this.answer('data', () => this.ledger.refuse(transaction.sender, transaction.named));
    if (reply.code >= 400) return;
    await this.breakOff();
    const message = await this.reader.message();
    if (message === undefined) throw new Over();
    this.transaction = undefined;
    await this.end(transaction, message);
  }

  private async end(transaction: Transaction, message: Buffer): Promise<void> {
    const reply = this.draw('dot');
    if (isPermanent(reply)) this.ledger.refuse(transaction.sender, transaction.named);
    const isSaid = reply.upTo > 0;
    // A server that goes without a word may have taken the message, or not.
    const isTaken = reply.code < 300 && (isSaid || !reply.isInStep || this.random.chance(0.5));
    const copy = isTaken ? this.take(transaction, message) : undefined;
    this.last = copy;
    this.noteStep(reply);
    await this.say(reply, copy);
  }

  private take({ to }: Transaction, message: Buffer): Copy {
    const id = MESSAGE_ID.exec(message.toString('latin1', 0, LONGEST_HEADER))?.[1] ?? '';
    return this.ledger.take({
      id,
      to,
      isInStep: this.isInStep,
      reply: 'none',
      isReset: false,
      place: this.place,
    });
  }

  private get place(): Place {
    return { dialogue: this.dialogue, at: this.dialogue.length };
  }

  /** A consequence of what was refused before, and a verdict on nobody. */
  private async refuseOutOfOrder(): Promise<void> {
    await this.say(usualReply('data', this.random, this.random.pick(['503 5.5.1 out of order', '554 5.5.1 nobody'])));
  }

  /** The connection ends in the middle of a message. */
  private async breakOff(): Promise<void> {
    if (!this.random.chance(this.temper().oddity / 2)) return;
    await Promise.race([this.reader.has(this.random.int(0, 2_000)), this.closed]);
    this.leave(this.random.pick(['close', 'reset']));
  }

  private draw(stage: Stage): Reply {
    const { oddity, isInStep } = this.temper();
    const isRare = stage === 'greeting' || stage === 'ehlo';
    if (!this.random.chance(isRare ? oddity / 4 : oddity)) return usualReply(stage, this.random);
    const reply = oddReply(stage, this.random, isInStep);
    this.ledger.noteOddity(`${stage} ${reply.kind}`);
    return reply;
  }

  /** @param noteRefusal called before a permanent refusal is said: the connection may end with it */
  private async answer(stage: Stage, noteRefusal = () => {}): Promise<Reply> {
    const reply = this.draw(stage);
    if (isPermanent(reply)) noteRefusal();
    this.noteStep(reply);
    await this.say(reply);
    return reply;
  }

  /** Whether the answer to the last message was its own, a client knows by the answers behind it. */
  private noteStep({ isInStep }: Reply): void {
    this.isInStep &&= isInStep;
    if (!this.isInStep && this.last) this.last.isInStep = false;
  }

  private async say({ kind, bytes, upTo, parts, pause, end }: Reply, copy?: Copy): Promise<void> {
    const said = bytes.subarray(0, upTo);
    this.dialogue.push(`${said.toString('latin1', 0, LONGEST_LINE).trim()} (${kind})`);
    const step = Math.max(1, Math.ceil(said.length / parts));
    for (let from = 0; from < said.length; from += step) {
      if (pause > 0) await Promise.race([delay(pause), this.closed]);
      if (this.isGone || !this.socket.writable) throw new Over();
      this.socket.write(said.subarray(from, from + step));
      if (copy) copy.reply = from + step >= bytes.length ? 'whole' : 'part';
    }
    if (end === 'none') return;
    if (copy && isFinal(copy)) copy.isReset = end === 'reset';
    this.leave(end);
  }

  private leave(how: 'close' | 'reset'): never {
    if (how === 'reset') this.socket.resetAndDestroy();
    throw new Over();
  }
}

function isPermanent({ code, upTo }: Reply): boolean {
  return code >= 500 && upTo > 0;
}
