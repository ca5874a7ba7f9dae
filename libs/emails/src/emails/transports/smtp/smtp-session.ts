import type { Socket } from 'node:net';
import type { BuiltMessage, SmtpReply } from '../../ports/email-transport.js';
import { errorKind } from '../outcomes.js';
import { ContentStream } from './content-stream.js';
import { DotStuffing } from './dot-stuffing.js';
import { DOUBT, HeldAnswer } from './held-answer.js';
import { ReplyClock } from './reply-clock.js';
import { type Reply, ReplyReader } from './reply-reader.js';
import {
  BYE,
  CLOSED,
  type Command,
  type Expected,
  FORGOTTEN,
  fits,
  SAID_MORE,
  TIMEOUT,
  TOO_LONG,
} from './smtp-dialogue.js';
import type { SmtpExtensions } from './smtp-extensions.js';
import type { GreetedConnection } from './smtp-greeting.js';
import { instead, isRefusal, told } from './smtp-outcomes.js';
import { CLOSING, contentOf, envelopeOf, type Sent, SmtpTransaction, unsendable } from './smtp-transaction.js';

/** What whoever keeps connections is told of one. */
export interface SessionEvents {
  /** No reply is awaited any more. */
  quiet(): void;
  /** An envelope that was sent ahead was answered. */
  aheadKept(): void;
  /** As above, and the connection ended first. @param isSure whether it did because of that */
  aheadBroken(isSure: boolean): void;
  /** It is of no more use. */
  ended(session: SmtpSession): void;
}

/** For how long an envelope stays behind a message that is not answered, before its own goes another way. Milliseconds. */
const BEHIND = 5_000;
/** A server that takes longer to answer a message is sent no envelope ahead: little would be won. Milliseconds. */
const SLOW = 1_000;
/** For how long an envelope sent ahead may go without any reply once the message before it was answered. Milliseconds. */
const OVERDUE = 10_000;
/** For how long a server may take to answer QUIT. Milliseconds. */
const GOODBYE = 5_000;
/** Bytes of content that are written at once. */
const AT_ONCE = 65_536;

/** In time, of one connection. Milliseconds. */
export interface SessionLimits {
  /** For a whole reply, from when its turn has come. */
  reply: number;
  /** For a message, from its first command to its answer. */
  message: number;
}

/**
 * One connection to the next hop, greeted and logged in, on which message follows message (RFC 5321 section 3.3). Where
 * the server offers it (RFC 2920), the commands of a message go out together, and the next message's right behind the
 * final dot of the last: one message awaits the answer to its dot while the envelope of one more is on its way.
 *
 * Each reply belongs to the command whose turn it is, and a connection whose replies do not fit their commands is
 * given up. A server that swallows the reply to a final dot, or says one too many, shifts the others: so a message's
 * answer counts only when those to the envelope behind it fit too, and what is said of recipients only when no reply
 * before or behind it is in doubt.
 */
export class SmtpSession {
  /** Messages tried on this connection. */
  sent = 0;
  /** Whether it was kept for later: the server may have given it up since. */
  reused = false;
  /** When it was made free for the next message last. Milliseconds, by the clock of `performance`. */
  freeAt = 0;
  /** Of the message that it was taken for last. */
  destination: string | undefined;

  /** When a reply came last, but for that with which it ends. Milliseconds, by the clock of `performance`. */
  private heardAt = 0;
  private isOver = false;
  private isLeaving = false;
  private readonly socket: Socket;
  private readonly extensions: SmtpExtensions;
  private readonly reader = new ReplyReader();
  private readonly expected: Expected[] = [];
  /** A message that goes on as it was answered, once all was looked at that came with that answer. */
  private due: SmtpTransaction | undefined;
  /** The message whose content is being handed over. */
  private sending: SmtpTransaction | undefined;
  private stream: ContentStream | undefined;
  private readonly held = new HeldAnswer(
    (transaction) => this.tell(transaction),
    () => this.expected[0],
    () => this.isLate,
  );
  private readonly clock = new ReplyClock<Expected>((awaited) => this.endLate(awaited));
  /** Runs while there is an envelope behind a message that is not answered. */
  private behind: NodeJS.Timeout | undefined;
  /** A message that went another way, while its envelope is still to be answered here. */
  private abandoned: SmtpTransaction | undefined;
  /** Whether the last message was answered late. */
  private isSlow = false;
  /** The message that was sent last, until its content is. */
  private last: SmtpTransaction | undefined;
  /** Messages of which nothing was told yet. */
  private readonly untold = new Set<SmtpTransaction>();

  constructor(
    { socket, extensions }: GreetedConnection,
    private readonly events: SessionEvents,
    private readonly limits: SessionLimits,
  ) {
    this.socket = socket;
    this.extensions = extensions;
    const closed = () => this.closed();
    socket.on('data', (bytes) => this.heard(bytes));
    socket.on('end', closed);
    socket.on('close', closed);
    socket.on('timeout', () => this.end(TIMEOUT));
    socket.on('error', (error) => this.end(causeOf(error)));
  }

  /** Whether the connection stands, usable or not. */
  get stands(): boolean {
    return !this.isOver;
  }

  /** False once the connection is of no more use. */
  get usable(): boolean {
    return !this.isOver && !this.isLeaving;
  }

  /** Whether no reply is awaited. */
  get quiet(): boolean {
    return this.expected.length === 0 && !this.due && !this.sending;
  }

  /**
   * Sends one message; what the server hears first is written before this returns. Resolves with what became of each
   * recipient, or with `stale` when the connection turned out to be dead, or kept the message waiting for too long.
   *
   * @param isFree called when the next message may be sent though the answer to this one has not come, if ever
   */
  send(message: BuiltMessage, isFree = () => {}): Promise<Sent> {
    if (this.quiet && this.reader.unfinished) this.end(SAID_MORE);
    if (!this.usable) return Promise.resolve('stale');
    const refused = unsendable(message, this.extensions);
    if (refused) return Promise.resolve(refused);
    this.sent++;
    return new Promise((resolve) => {
      const limit = setTimeout(() => this.end(TOO_LONG), this.limits.message).unref();
      const done = (sent: Sent) => {
        clearTimeout(limit);
        resolve(sent);
      };
      const transaction = new SmtpTransaction(message, !this.quiet, this.reused, done, isFree);
      this.untold.add(transaction);
      this.last = transaction;
      const envelope = envelopeOf(message, this.extensions);
      if (!this.quiet) this.behind = setTimeout(() => this.abandon(transaction), BEHIND);
      this.say(transaction, this.extensions.pipelining ? envelope : envelope.slice(0, 1));
    });
  }

  /** A message whose answer does not come holds up no other: of that behind it, nothing but the envelope was said. */
  private abandon(transaction: SmtpTransaction): void {
    this.abandoned = transaction;
    this.isLeaving = true;
    this.untold.delete(transaction);
    transaction.resolve('stale');
  }

  /** Says goodbye, behind what is still to be answered. */
  quit(): void {
    if (!this.usable) return;
    this.isLeaving = true;
    this.expect({ to: 'QUIT' });
    this.socket.write('QUIT\r\n');
  }

  private say(transaction: SmtpTransaction, commands: readonly string[]): void {
    this.expect(...commands.map((command) => ({ to: command.slice(0, 4) as Command, of: transaction })));
    this.socket.write(commands.join(''));
  }

  private expect(...replies: Expected[]): void {
    this.expected.push(...replies);
    this.watch();
  }

  private heard(bytes: Buffer): void {
    if (this.isOver) return;
    for (const reply of this.reader.read(bytes)) {
      // Replies behind a refused envelope may come in the same packet or in the next: that changes nothing.
      if (this.due?.endsAtEnvelope) this.goOn(this.due);
      if (!this.isOver) this.take(reply);
      if (this.isOver) return;
    }
    if (this.due) this.goOn(this.due);
    this.held.watch();
    this.watch();
    if (this.quiet) this.events.quiet();
  }

  /** Minds the time of the reply whose turn it is. Bytes that are no whole reply gain no time. */
  private watch(): void {
    this.clock.await(this.expected[0], ({ to, of }) => {
      const longest = to === 'QUIT' ? GOODBYE : to === 'MAIL' && of?.isAhead ? OVERDUE : Number.POSITIVE_INFINITY;
      return Math.min(longest, this.limits.reply);
    });
  }

  private endLate({ to, of }: Expected): void {
    const isForgotten = to === 'MAIL' && of?.isAhead === true;
    this.end(isForgotten ? FORGOTTEN : TIMEOUT, { isConfused: isForgotten });
  }

  private take(reply: Reply): void {
    if (reply.code !== CLOSING) this.heardAt = performance.now();
    const expected = this.expected[0];
    if (!expected) this.takeUnasked(reply);
    else if (fits(expected, reply)) this.takeTurn(this.expected.shift() as Expected, reply);
    else this.endMisfit(expected, reply);
  }

  /** A message may be refused before all of it has come. Anything else is a reply to nothing. */
  private takeUnasked(reply: Reply): void {
    if (this.sending && isRefusal(reply)) {
      this.sending.dot = reply;
      this.tell(this.sending);
    }
    this.end(reply.code === CLOSING ? told(reply) : SAID_MORE);
  }

  private takeTurn({ to, of }: Expected, reply: Reply): void {
    if (of) this.takeFor(of, to, reply);
    if (to === 'QUIT') this.end(CLOSED);
    else if (reply.code === CLOSING) this.end(told(reply));
    else if (to === 'RSET' && isRefusal(reply))
      this.end(told(reply), { isConfused: of !== undefined && this.isMissed(of, reply) });
  }

  /** RSET is never refused (RFC 5321 section 4.1.1.5): what comes then is the answer to a command before it. */
  private isMissed({ data }: SmtpTransaction, reply: Reply): boolean {
    return this.extensions.pipelining && isRefusal(data) && isRefusal(reply) && reply.code !== CLOSING;
  }

  private takeFor(transaction: SmtpTransaction, to: Command, reply: Reply): void {
    if (to === 'MAIL') transaction.mail = reply;
    if (to === 'RCPT') transaction.rcpt.push(reply);
    if (to === 'DATA') transaction.data = reply;
    if (to === 'DATA' && transaction.isAhead) this.tellTrust(transaction);
    if (to === 'the message') this.takeAnswer(transaction, reply);
    else if (to === 'RSET') this.takeUndone(transaction, reply);
    else if (to === 'DATA' || !this.extensions.pipelining) this.due = transaction;
  }

  /** One command that a server does not like, of one message, is not yet a reason to send nothing ahead. */
  private tellTrust({ cameTooEarly }: SmtpTransaction): void {
    if (cameTooEarly) this.events.aheadBroken(false);
    else this.events.aheadKept();
  }

  private goOn(transaction: SmtpTransaction): void {
    if (this.reader.unfinished && !transaction.endsAtEnvelope) {
      this.end(SAID_MORE);
      return;
    }
    this.due = undefined;
    clearTimeout(this.behind);
    this.held.tell();
    const { data, isRefused } = transaction;
    // Either goes another way.
    if (transaction === this.abandoned || transaction.cameTooEarly) this.end(CLOSED);
    else if (transaction.isOutOfStep) this.end(told(transaction.mail as Reply));
    else if (transaction.endsAtEnvelope) this.forget(transaction);
    else if (!data) this.sayNext(transaction);
    else if (isRefused) this.sendNothing(transaction);
    else this.handOver(transaction);
  }

  /** Without pipelining: the command that follows. */
  private sayNext(transaction: SmtpTransaction): void {
    const { message, rcpt } = transaction;
    this.say(transaction, envelopeOf(message, this.extensions).slice(1 + rcpt.length, 2 + rcpt.length));
  }

  /** The go-ahead for nobody (RFC 2920 section 3.1): an empty message. Where the sender was refused, it makes no sense. */
  private sendNothing(transaction: SmtpTransaction): void {
    transaction.isAnswered = true;
    if (isRefusal(transaction.mail)) this.end(CLOSED);
    else this.undo(transaction, '.\r\n');
  }

  /** Ends the transaction of a message that was refused before its content (RFC 5321 section 4.1.1.5). */
  private forget(transaction: SmtpTransaction): void {
    transaction.isAnswered = true;
    if (isRefusal(transaction.mail)) this.tell(transaction);
    else this.undo(transaction, 'RSET\r\n');
  }

  private undo(transaction: SmtpTransaction, command: string): void {
    this.expect({ to: 'RSET', of: transaction });
    this.socket.write(command);
    this.free(transaction);
  }

  private takeUndone(transaction: SmtpTransaction, reply: Reply): void {
    clearTimeout(this.behind);
    if (this.isMissed(transaction, reply)) transaction.isAnswered = false;
    else this.tell(transaction);
  }

  private takeAnswer(transaction: SmtpTransaction, reply: Reply): void {
    transaction.dot = reply;
    transaction.isAnswered = true;
    this.isSlow = performance.now() - this.freeAt > SLOW;
    clearTimeout(this.behind);
    if (this.expected.some(({ of }) => of)) this.held.hold(transaction);
    else this.tell(transaction);
  }

  /** Whether nothing came for a while: a server that hangs up on somebody does so with the refusal. */
  private get isLate(): boolean {
    return performance.now() - this.heardAt >= DOUBT;
  }

  /** Tells what the server answered. */
  private tell(transaction: SmtpTransaction): void {
    this.untold.delete(transaction);
    transaction.resolve(transaction.answered());
  }

  /** The next message may be said. */
  private free(transaction: SmtpTransaction): void {
    this.freeAt = performance.now();
    if (this.usable && this.extensions.pipelining && !this.isSlow) transaction.isFree();
  }

  private handOver(transaction: SmtpTransaction): void {
    this.last = undefined;
    this.sending = transaction;
    transaction.begun = true;
    const raw = contentOf(transaction.message, this.extensions);
    if (Buffer.isBuffer(raw) && raw.length <= AT_ONCE) {
      const stuffing = new DotStuffing();
      this.socket.cork();
      this.socket.write(stuffing.next(raw));
      this.handOverEnd(transaction, stuffing.end());
      this.socket.uncork();
      return;
    }
    this.stream = new ContentStream(this.socket);
    this.stream.write(raw).then(
      (end) => end && this.handOverEnd(transaction, end),
      // Never a final dot behind what is not the whole message.
      (error: unknown) => this.end(causeOf(error)),
    );
  }

  private handOverEnd(transaction: SmtpTransaction, end: Buffer): void {
    this.stream = undefined;
    this.sending = undefined;
    transaction.complete = true;
    this.expect({ to: 'the message', of: transaction });
    this.socket.write(end, (error) => {
      if (!error) this.free(transaction);
    });
  }

  private closed(): void {
    if (this.isOver) return;
    const text = this.reader.unfinished;
    // A refusal that was cut off is one. Of anything else that was, nobody knows what it would have been.
    if (/^[45]\d\d[ -]/.test(text) && !this.quiet) this.take({ code: Number(text.slice(0, 3)), text });
    this.end(CLOSED);
  }

  /** True when nothing was sent since an envelope that was sent ahead was refused. */
  private get hasHungUpOnAhead(): boolean {
    const { last } = this;
    return !this.isLeaving && last?.isAhead === true && last.endsAtEnvelope && !last.cameTooEarly;
  }

  private endMisfit({ to, of }: Expected, reply: Reply): void {
    const cause = instead(`What the next hop answered to ${to} does not fit: ${reply.text}`, 'EPROTOCOL');
    if (to === 'RSET' && of && this.extensions.pipelining) of.isAnswered = false;
    const isShifted = to === 'DATA' ? this.held.isOneTooManyFor(of) : this.held.mayBeToMail;
    const isReply = reply.code > 0 && reply.code !== BYE;
    this.end(cause, { isShifted: isReply && isShifted, isConfused: true });
  }

  /**
   * Ends the connection, and tells everybody who still waits.
   *
   * @param isShifted whether the answer that is held may be the reply to something else
   * @param isConfused whether the server does not know any more what it was asked
   */
  private end(cause: SmtpReply, { isShifted = false, isConfused = false } = {}): void {
    if (this.isOver) return;
    this.isOver = true;
    this.held.end(isShifted);
    this.clock.stop();
    clearTimeout(this.behind);
    if (this.expected.some(({ to, of }) => to === 'DATA' && of?.isAhead) || this.hasHungUpOnAhead)
      this.events.aheadBroken(isConfused);
    const isInDoubt =
      this.extensions.pipelining &&
      (isConfused || cause === SAID_MORE || cause === TIMEOUT || cause === TOO_LONG || this.isLate);
    for (const transaction of this.untold) transaction.resolve(transaction.ended(cause, isInDoubt));
    this.untold.clear();
    this.expected.length = 0;
    this.due = undefined;
    this.sending = undefined;
    this.stream?.cancel();
    this.socket.destroy();
    this.events.ended(this);
  }
}

function causeOf(error: unknown): SmtpReply {
  return instead(error instanceof Error ? error.message : String(error), errorKind(error));
}
