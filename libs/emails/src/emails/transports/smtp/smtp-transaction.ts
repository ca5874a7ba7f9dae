import type { BuiltMessage, RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import type { ReasonCode } from '../../states/reason-codes.js';
import { outcomesForAll } from '../outcomes.js';
import { dsnOfMail, dsnOfRecipient, dsnProblem } from './dsn.js';
import type { Reply } from './reply-reader.js';
import type { SmtpExtensions } from './smtp-extensions.js';
import {
  contentVerdict,
  instead,
  isNotNow,
  isOutOfTurn,
  isRefusal,
  outcomesOf,
  refusal,
  refusalOfMail,
  refusedAt,
  type Verdict,
  verdictOf,
} from './smtp-outcomes.js';

/** The result of a message on one connection. `stale`: nothing was sent, and it may be sent on another connection. */
export type Sent = RecipientOutcome[] | 'stale';

/** RFC 5321 section 3.8: the server closes the connection, after any command. */
export const CLOSING = 421;

const UNFIT = /[\r\n<>]/;
const NOT_ASCII = /[^\0-\x7f]/;

/** One message on one connection (RFC 5321 section 3.3): its commands and their replies. */
export class SmtpTransaction {
  mail: Reply | undefined;
  readonly rcpt: Reply[] = [];
  data: Reply | undefined;
  dot: Reply | undefined;
  /** Sending the content has begun. */
  begun = false;
  /** The whole message was sent, including its final dot. */
  complete = false;
  /** All replies have arrived. */
  isAnswered = false;

  /**
   * @param isAhead whether its envelope is sent before the answer to the message before it
   * @param isReused whether the connection was kept idle: the server may have closed it since
   * @param isFree called when the next message may be sent before this one is answered
   */
  constructor(
    readonly message: BuiltMessage,
    readonly isAhead: boolean,
    private readonly isReused: boolean,
    readonly resolve: (sent: Sent) => void,
    readonly isFree: () => void,
  ) {}

  /** True if no recipient is left. */
  get isRefused(): boolean {
    const { mail, rcpt, message } = this;
    return isRefusal(mail) || (rcpt.length === message.recipients.length && rcpt.every(isRefusal));
  }

  /** Whether no content follows: its sender, DATA, or all of its recipients were refused. */
  get endsAtEnvelope(): boolean {
    return this.data ? isRefusal(this.data) : this.isRefused;
  }

  /** True if the server refused the pipelining, not the message. */
  get cameTooEarly(): boolean {
    const { isAhead, mail, rcpt } = this;
    return isAhead && (isRefusal(mail) ? isOutOfTurn(mail) : rcpt.some(isOutOfTurn));
  }

  /** True if the server is at another point of the dialogue, for example waiting for the end of another message. */
  get isOutOfStep(): boolean {
    const { mail, rcpt, isAhead } = this;
    // A recipient is not accepted after a refused sender: the replies may be those to the message before and to MAIL.
    return isRefusal(mail) && (isNotNow(mail) || (isAhead && !rcpt.every(isRefusal)));
  }

  /**
   * The outcomes of an answered message. A refusal of DATA after refused recipients is a consequence, and is ignored.
   */
  answered(): RecipientOutcome[] {
    const { mail, rcpt, data, dot, message } = this;
    if (isRefusal(mail)) return outcomesOf(message.recipients, [], refusedAt('mail', refusalOfMail(mail)));
    if (dot) return outcomesOf(message.recipients, rcpt, refusedAt('dot', contentVerdict(dot)));
    const last = data ?? rcpt.at(-1);
    return outcomesOf(message.recipients, rcpt, last ? refusedAt('data', verdictOf(last)) : noAnswer);
  }

  /**
   * The outcomes when the connection ends before the message was answered.
   *
   * @param isInDoubt whether a reply may be missing, so that the received ones may belong to other commands and do not
   * count
   */
  ended(cause: SmtpReply, isInDoubt: boolean): Sent {
    if (this.isAnswered) return this.answered();
    if (this.complete) return this.lost('unknown', cause);
    const said = this.data ?? this.rcpt.at(-1);
    // Replies about recipients after a refused sender do not count either.
    const replies = !this.begun && (isInDoubt || isRefusal(this.mail)) ? [] : this.rcpt;
    if (said?.code === CLOSING)
      return outcomesOf(this.message.recipients, replies, refusedAt(this.data ? 'data' : 'rcpt', refusal(said)));
    if ((this.isAhead || this.isReused) && !this.begun) return 'stale';
    return this.lost('deferred', this.mail?.code === CLOSING ? { ...cause, stage: 'mail' } : cause, replies);
  }

  private lost(outcome: 'unknown' | 'deferred', reply: SmtpReply, replies = this.rcpt): RecipientOutcome[] {
    return outcomesOf(this.message.recipients, replies, { outcome, reply });
  }
}

const noAnswer: Verdict = { outcome: 'deferred', reply: { text: 'The next hop gave no answer.' } };

/** The commands before a message's content: MAIL, RCPT for every recipient, DATA. Each with its line end. */
export function envelopeOf(message: BuiltMessage, extensions: SmtpExtensions): string[] {
  const { from, recipients } = message;
  const reports = extensions.dsn ? message.dsn : undefined;
  return [
    `MAIL FROM:<${from}>${parametersOf(message, extensions)}\r\n`,
    ...recipients.map((address) => `RCPT TO:<${address}>${reports ? dsnOfRecipient(reports, address) : ''}\r\n`),
    'DATA\r\n',
  ];
}

/** The content for this server. */
export function contentOf({ raw, raw7Bit }: BuiltMessage, { eightBitMime }: SmtpExtensions): BuiltMessage['raw'] {
  return eightBitMime ? raw : (raw7Bit ?? raw);
}

function parametersOf(message: BuiltMessage, extensions: SmtpExtensions): string {
  const { from, recipients, needsSmtpUtf8, raw7Bit, dsn } = message;
  const size = sizeOf(message);
  // Addresses in headers need it too (RFC 6531 section 3.4).
  const international = needsSmtpUtf8 || [from, ...recipients].some((address) => NOT_ASCII.test(address));
  return [
    extensions.smtpUtf8 && international ? ' SMTPUTF8' : '',
    extensions.eightBitMime && raw7Bit ? ' BODY=8BITMIME' : '',
    extensions.size && size ? ` SIZE=${size}` : '',
    extensions.dsn && dsn ? dsnOfMail(dsn) : '',
  ].join('');
}

/** Size in bytes, if known. */
function sizeOf({ raw, size }: BuiltMessage): number | undefined {
  return Buffer.isBuffer(raw) ? raw.length : size;
}

/**
 * The outcomes when the message cannot be sent to this server at all. @param isSecure whether the connection has TLS
 */
export function unsendable(
  message: BuiltMessage,
  extensions: SmtpExtensions,
  isSecure: boolean,
): RecipientOutcome[] | undefined {
  const { from, recipients, needsSmtpUtf8, requireTls, dsn } = message;
  const reject = (reply: SmtpReply, reasonCode: ReasonCode) =>
    outcomesForAll(recipients, 'rejected', { ...reply, reasonCode });
  if (recipients.length === 0) return [];
  const problem = dsn && dsnProblem(dsn);
  if (problem) return reject(instead(problem, 'EDSN'), 'invalid_dsn');
  // Deferred, unless the sender wants to know at once: an attacker may have hidden that the server offers TLS.
  if (requireTls && !isSecure) {
    const text = 'The message requires TLS, and the connection to the next hop has none.';
    const outcome = requireTls === 'enforced' ? 'rejected' : 'deferred';
    return outcomesForAll(recipients, outcome, { ...instead(text, 'NO_TLS'), reasonCode: 'tls_missing' });
  }
  if (needsSmtpUtf8 && !extensions.smtpUtf8) {
    const text = 'The next hop does not support internationalised addresses (SMTPUTF8, RFC 6531).';
    return reject(instead(text, 'NO_SMTPUTF8'), 'smtputf8_missing');
  }
  const { maxSize } = extensions;
  if (maxSize !== undefined && (sizeOf(message) ?? 0) > maxSize) {
    return reject(instead(`Message size larger than allowed ${maxSize}`, 'EMESSAGE'), 'message_too_large');
  }
  if (UNFIT.test(from) || recipients.some((address) => address === '' || UNFIT.test(address))) {
    return reject(instead('An address does not fit into an SMTP command.', 'EENVELOPE'), 'address_too_long');
  }
  return undefined;
}
