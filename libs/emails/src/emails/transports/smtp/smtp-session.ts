import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
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
import { instead, isRefusal, smtpReplyOf } from './smtp-outcomes.js';
import { CLOSING, contentOf, envelopeOf, type Sent, SmtpTransaction, unsendable } from './smtp-transaction.js';

/** Events of a connection, for the pool. */
export interface SessionEvents {
  /** No reply is awaited any more. */
  quiet(): void;
  /** A pipelined envelope was answered. */
  pipeliningSucceeded(): void;
  /**
   * The connection ended before a pipelined envelope was answered. @param isSure whether pipelining is certainly the
   * cause
   */
  pipeliningFailed(isSure: boolean): void;
  /** The connection is of no more use. */
  ended(session: SmtpSession): void;
}

/** How long an envelope waits behind an unanswered message before it is sent on another connection. Milliseconds. */
const BEHIND = 5_000;
/** A server that takes longer to answer a message gets no envelope ahead: little would be gained. Milliseconds. */
const SLOW = 1_000;
/** Time limit for the first reply to an envelope ahead, once the message before it was answered. Milliseconds. */
const OVERDUE = 10_000;
/** Time limit for the reply to QUIT. Milliseconds. */
const GOODBYE = 5_000;
/** Limit of content that is written at once. Bytes. */
const AT_ONCE = 65_536;

/** Time limits of a connection. Milliseconds. */
export interface SessionLimits {
  /** For a whole reply, from when its turn has come. */
  reply: number;
  /** For a message, from its first command to its answer. */
  message: number;
}

/**
 * One connection to the next hop, greeted and logged in, that carries one message after the other (RFC 5321 section
 * 3.3). If the server offers pipelining (RFC 2920), the commands of a message are sent together, and the next envelope
 * right after the final dot of the last message: one message awaits the answer to its dot while the envelope of one
 * more is on its way.
 *
 * Each reply belongs to the next expected command. A connection whose replies do not fit their commands is given up. A
 * server that swallows the reply to a final dot, or sends one too many, shifts the others: so a message's answer counts
 * only when the replies to the envelope behind it fit too, and replies about recipients count only when no reply before
 * or behind them is in doubt.
 */
export class SmtpSession {
  /** Messages tried on this connection. */
  sent = 0;
  /** True if it was kept idle: the server may have closed it since. */
  reused = false;
  /** When it was last free for the next message. Milliseconds of `performance.now()`. */
  freeAt = 0;
  /** Destination of the message for which it was last acquired. */
  destination: string | undefined;

  /** When a reply last arrived, except the closing one. Milliseconds of `performance.now()`. */
  private heardAt = 0;
  private isOver = false;
  private isLeaving = false;
  private readonly socket: Socket;
  private readonly extensions: SmtpExtensions;
  private readonly reader = new ReplyReader();
  private readonly expected: Expected[] = [];
  /** A message whose reply arrived. It continues when all replies of the same packet were read. */
  private due: SmtpTransaction | undefined;
  /** The message whose content is being sent. */
  private sending: SmtpTransaction | undefined;
  private stream: ContentStream | undefined;
  private readonly held = new HeldAnswer(
    (transaction) => this.report(transaction),
    () => this.expected[0],
    () => this.isLate,
  );
  private readonly clock = new ReplyClock<Expected>((awaited) => this.endLate(awaited));
  /** Runs while there is an envelope behind an unanswered message. */
  private behind: NodeJS.Timeout | undefined;
  /** A message that moved to another connection while its envelope still awaits replies here. */
  private abandoned: SmtpTransaction | undefined;
  /** True if the last message was answered late. */
  private isSlow = false;
  /** The last message, until its content is sent. */
  private last: SmtpTransaction | undefined;
  /** Messages without a reported outcome. */
  private readonly unreported = new Set<SmtpTransaction>();

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

  /** Whether the connection is open, usable or not. */
  get stands(): boolean {
    return !this.isOver;
  }

  /** False once the connection is of no more use. */
  get usable(): boolean {
    return !this.isOver && !this.isLeaving;
  }

  /** True if no reply is awaited. */
  get quiet(): boolean {
    return this.expected.length === 0 && !this.due && !this.sending;
  }

  /**
   * Sends one message; the first commands are written before this returns. Resolves with the outcome of each recipient,
   * or with `stale` when the connection was dead, or kept the message waiting for too long.
   *
   * @param isFree called when the next message may be sent before this one is answered, if ever
   */
  send(message: BuiltMessage, isFree = () => {}): Promise<Sent> {
    if (this.quiet && this.reader.unfinished) this.end(SAID_MORE);
    if (!this.usable) return Promise.resolve('stale');
    const refused = unsendable(message, this.extensions, this.socket instanceof TLSSocket);
    if (refused) return Promise.resolve(refused);
    this.sent++;
    return new Promise((resolve) => {
      const limit = setTimeout(() => this.end(TOO_LONG), this.limits.message).unref();
      const done = (sent: Sent) => {
        clearTimeout(limit);
        resolve(sent);
      };
      const transaction = new SmtpTransaction(message, !this.quiet, this.reused, done, isFree);
      this.unreported.add(transaction);
      this.last = transaction;
      const envelope = envelopeOf(message, this.extensions);
      if (!this.quiet) this.behind = setTimeout(() => this.abandon(transaction), BEHIND);
      this.sendCommands(transaction, this.extensions.pipelining ? envelope : envelope.slice(0, 1));
    });
  }

  /** A message without an answer delays no other: of the one behind it, only the envelope was sent. */
  private abandon(transaction: SmtpTransaction): void {
    this.abandoned = transaction;
    this.isLeaving = true;
    this.unreported.delete(transaction);
    transaction.resolve('stale');
  }

  /** Sends QUIT, after everything that is still to be answered. */
  quit(): void {
    if (!this.usable) return;
    this.isLeaving = true;
    this.expect({ to: 'QUIT' });
    this.socket.write('QUIT\r\n');
  }

  private sendCommands(transaction: SmtpTransaction, commands: readonly string[]): void {
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
      // Replies after a refused envelope may come in the same packet or in the next, with the same result.
      if (this.due?.endsAtEnvelope) this.proceed(this.due);
      if (!this.isOver) this.receive(reply);
      if (this.isOver) return;
    }
    if (this.due) this.proceed(this.due);
    this.held.watch();
    this.watch();
    if (this.quiet) this.events.quiet();
  }

  /** Limits the time of the next expected reply. Bytes of an incomplete reply do not extend it. */
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

  private receive(reply: Reply): void {
    if (reply.code !== CLOSING) this.heardAt = performance.now();
    const expected = this.expected[0];
    if (!expected) this.receiveUnrequested(reply);
    else if (fits(expected, reply)) this.receiveExpected(this.expected.shift() as Expected, reply);
    else this.endMisfit(expected, reply);
  }

  /** A message may be refused before all of it has arrived. Any other unrequested reply is an error. */
  private receiveUnrequested(reply: Reply): void {
    if (this.sending && isRefusal(reply)) {
      this.sending.dot = reply;
      this.report(this.sending);
    }
    this.end(reply.code === CLOSING ? smtpReplyOf(reply) : SAID_MORE);
  }

  private receiveExpected({ to, of }: Expected, reply: Reply): void {
    if (of) this.assign(of, to, reply);
    if (to === 'QUIT') this.end(CLOSED);
    else if (reply.code === CLOSING) this.end(smtpReplyOf(reply));
    else if (to === 'RSET' && isRefusal(reply))
      this.end(smtpReplyOf(reply), { isConfused: of !== undefined && this.isMissed(of, reply) });
  }

  /** RSET is never refused (RFC 5321 section 4.1.1.5): a refusal is the answer to an earlier command. */
  private isMissed({ data }: SmtpTransaction, reply: Reply): boolean {
    return this.extensions.pipelining && isRefusal(data) && isRefusal(reply) && reply.code !== CLOSING;
  }

  private assign(transaction: SmtpTransaction, to: Command, reply: Reply): void {
    if (to === 'MAIL') transaction.mail = reply;
    if (to === 'RCPT') transaction.rcpt.push(reply);
    if (to === 'DATA') transaction.data = reply;
    if (to === 'DATA' && transaction.isAhead) this.reportPipelining(transaction);
    if (to === 'the message') this.receiveAnswer(transaction, reply);
    else if (to === 'RSET') this.receiveReset(transaction, reply);
    else if (to === 'DATA' || !this.extensions.pipelining) this.due = transaction;
  }

  /** A single refused command of one message does not stop pipelining. */
  private reportPipelining({ cameTooEarly }: SmtpTransaction): void {
    if (cameTooEarly) this.events.pipeliningFailed(false);
    else this.events.pipeliningSucceeded();
  }

  private proceed(transaction: SmtpTransaction): void {
    if (this.reader.unfinished && !transaction.endsAtEnvelope) {
      this.end(SAID_MORE);
      return;
    }
    this.due = undefined;
    clearTimeout(this.behind);
    this.held.report();
    const { data, isRefused } = transaction;
    // Both continue on another connection.
    if (transaction === this.abandoned || transaction.cameTooEarly) this.end(CLOSED);
    else if (transaction.isOutOfStep) this.end(smtpReplyOf(transaction.mail as Reply));
    else if (transaction.endsAtEnvelope) this.forget(transaction);
    else if (!data) this.sendNext(transaction);
    else if (isRefused) this.sendNothing(transaction);
    else this.handOver(transaction);
  }

  /** The next command, without pipelining. */
  private sendNext(transaction: SmtpTransaction): void {
    const { message, rcpt } = transaction;
    this.sendCommands(transaction, envelopeOf(message, this.extensions).slice(1 + rcpt.length, 2 + rcpt.length));
  }

  /**
   * An empty message for a go-ahead without recipients (RFC 2920 section 3.1). After a refused sender it is impossible.
   */
  private sendNothing(transaction: SmtpTransaction): void {
    transaction.isAnswered = true;
    if (isRefusal(transaction.mail)) this.end(CLOSED);
    else this.undo(transaction, '.\r\n');
  }

  /** Resets after a message that was refused before its content (RFC 5321 section 4.1.1.5). */
  private forget(transaction: SmtpTransaction): void {
    transaction.isAnswered = true;
    if (isRefusal(transaction.mail)) this.report(transaction);
    else this.undo(transaction, 'RSET\r\n');
  }

  private undo(transaction: SmtpTransaction, command: string): void {
    this.expect({ to: 'RSET', of: transaction });
    this.socket.write(command);
    this.free(transaction);
  }

  private receiveReset(transaction: SmtpTransaction, reply: Reply): void {
    clearTimeout(this.behind);
    if (this.isMissed(transaction, reply)) transaction.isAnswered = false;
    else this.report(transaction);
  }

  private receiveAnswer(transaction: SmtpTransaction, reply: Reply): void {
    transaction.dot = reply;
    transaction.isAnswered = true;
    this.isSlow = performance.now() - this.freeAt > SLOW;
    clearTimeout(this.behind);
    if (this.expected.some(({ of }) => of)) this.held.hold(transaction);
    else this.report(transaction);
  }

  /** True if nothing arrived for some time: a server that hangs up on a recipient does so together with the refusal. */
  private get isLate(): boolean {
    return performance.now() - this.heardAt >= DOUBT;
  }

  /** Reports the outcome of an answered message. */
  private report(transaction: SmtpTransaction): void {
    this.unreported.delete(transaction);
    transaction.resolve(transaction.answered());
  }

  /** Allows the next message. */
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
      // An incomplete message never gets a final dot.
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
    const { refusalCutOff } = this.reader;
    if (refusalCutOff && !this.quiet) this.receive(refusalCutOff);
    this.end(CLOSED);
  }

  /** True if the server hung up on a refused envelope ahead, with nothing sent since. */
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
   * Ends the connection, and reports all messages that still wait.
   *
   * @param isShifted whether the held answer may belong to another command
   * @param isConfused whether the server may have lost track of the dialogue
   */
  private end(cause: SmtpReply, { isShifted = false, isConfused = false } = {}): void {
    if (this.isOver) return;
    this.isOver = true;
    this.held.end(isShifted);
    this.clock.stop();
    clearTimeout(this.behind);
    if (this.expected.some(({ to, of }) => to === 'DATA' && of?.isAhead) || this.hasHungUpOnAhead)
      this.events.pipeliningFailed(isConfused);
    const isInDoubt =
      this.extensions.pipelining &&
      (isConfused || cause === SAID_MORE || cause === TIMEOUT || cause === TOO_LONG || this.isLate);
    for (const transaction of this.unreported) transaction.resolve(transaction.ended(cause, isInDoubt));
    this.unreported.clear();
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
