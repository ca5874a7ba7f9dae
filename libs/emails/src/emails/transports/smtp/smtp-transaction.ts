import type { BuiltMessage, RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { outcomesForAll } from '../outcomes.js';
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
  type Verdict,
  verdictOf,
} from './smtp-outcomes.js';

/** What comes of one message on one connection. `stale`: nothing was sent, and it may be sent on another. */
export type Sent = RecipientOutcome[] | 'stale';

/** RFC 5321 section 3.8: the server closes the connection, whatever it was asked. */
export const CLOSING = 421;

const UNFIT = /[\r\n<>]/;
const NOT_ASCII = /[^\0-\x7f]/;

/** One message on its way over one connection (RFC 5321 section 3.3): what is said for it, and what was answered. */
export class SmtpTransaction {
  mail: Reply | undefined;
  readonly rcpt: Reply[] = [];
  data: Reply | undefined;
  dot: Reply | undefined;
  /** Content is being handed over, or was. */
  begun = false;
  /** The whole message, its final dot included, was handed over. */
  complete = false;
  /** The server said all that there is to say. */
  isAnswered = false;

  /**
   * @param isAhead whether its envelope goes out before the answer to the message before it has come
   * @param isReused whether the connection was kept for later: the server may have given it up since
   * @param isFree called when the next message may be sent though the answer to this one has not come
   */
  constructor(
    readonly message: BuiltMessage,
    readonly isAhead: boolean,
    private readonly isReused: boolean,
    readonly resolve: (sent: Sent) => void,
    readonly isFree: () => void,
  ) {}

  /** Whether nobody is left to get it. */
  get isRefused(): boolean {
    const { mail, rcpt, message } = this;
    return isRefusal(mail) || (rcpt.length === message.recipients.length && rcpt.every(isRefusal));
  }

  /** True when no content follows: its sender, DATA, or all of its recipients were refused. */
  get endsAtEnvelope(): boolean {
    return this.data ? isRefusal(this.data) : this.isRefused;
  }

  /** Whether the server refused not the message, but that its envelope was sent ahead. */
  get cameTooEarly(): boolean {
    const { isAhead, mail, rcpt } = this;
    return isAhead && (isRefusal(mail) ? isOutOfTurn(mail) : rcpt.some(isOutOfTurn));
  }

  /** Whether the server is somewhere else in the dialogue, as one that awaits the end of another message. */
  get isOutOfStep(): boolean {
    const { mail, rcpt, isAhead } = this;
    // A recipient is not accepted behind a refused sender: the replies may be those to the message before and to MAIL.
    return isRefusal(mail) && (isNotNow(mail) || (isAhead && !rcpt.every(isRefusal)));
  }

  /** As the server answered it to the end. A refusal of DATA behind refused recipients is a consequence, and says nothing. */
  answered(): RecipientOutcome[] {
    const { mail, rcpt, data, dot, message } = this;
    if (isRefusal(mail)) return outcomesOf(message.recipients, [], refusalOfMail(mail));
    if (dot) return outcomesOf(message.recipients, rcpt, contentVerdict(dot));
    const last = data ?? rcpt.at(-1);
    return outcomesOf(message.recipients, rcpt, last ? verdictOf(last) : noAnswer);
  }

  /**
   * As it stands when the connection ends before the server answered it to the end.
   *
   * @param isInDoubt whether a reply may be missing, so that those there are may be other commands': they are no verdicts
   */
  ended(cause: SmtpReply, isInDoubt: boolean): Sent {
    if (this.isAnswered) return this.answered();
    if (this.complete) return this.lost('unknown', cause);
    const said = this.data ?? this.rcpt.at(-1);
    // Nor is what is said of recipients behind a refused sender about them.
    const replies = !this.begun && (isInDoubt || isRefusal(this.mail)) ? [] : this.rcpt;
    if (said?.code === CLOSING) return outcomesOf(this.message.recipients, replies, refusal(said));
    if ((this.isAhead || this.isReused) && !this.begun) return 'stale';
    return this.lost('deferred', cause, replies);
  }

  private lost(outcome: 'unknown' | 'deferred', reply: SmtpReply, replies = this.rcpt): RecipientOutcome[] {
    return outcomesOf(this.message.recipients, replies, { outcome, reply });
  }
}

const noAnswer: Verdict = { outcome: 'deferred', reply: { text: 'The next hop gave no answer.' } };

/** The commands before a message's content: MAIL, RCPT for every recipient, DATA. Each with its line end. */
export function envelopeOf(message: BuiltMessage, extensions: SmtpExtensions): string[] {
  const { from, recipients } = message;
  return [
    `MAIL FROM:<${from}>${parametersOf(message, extensions)}\r\n`,
    ...recipients.map((address) => `RCPT TO:<${address}>\r\n`),
    'DATA\r\n',
  ];
}

/** What this server is given as the content. */
export function contentOf({ raw, raw7Bit }: BuiltMessage, { eightBitMime }: SmtpExtensions): BuiltMessage['raw'] {
  return eightBitMime ? raw : (raw7Bit ?? raw);
}

function parametersOf(message: BuiltMessage, extensions: SmtpExtensions): string {
  const { from, recipients, needsSmtpUtf8, raw7Bit } = message;
  const size = sizeOf(message);
  // Addresses in headers need it too (RFC 6531 section 3.4).
  const international = needsSmtpUtf8 || [from, ...recipients].some((address) => NOT_ASCII.test(address));
  return [
    extensions.smtpUtf8 && international ? ' SMTPUTF8' : '',
    extensions.eightBitMime && raw7Bit ? ' BODY=8BITMIME' : '',
    extensions.size && size ? ` SIZE=${size}` : '',
  ].join('');
}

/** Bytes, if they are known. */
function sizeOf({ raw, size }: BuiltMessage): number | undefined {
  return Buffer.isBuffer(raw) ? raw.length : size;
}

/** Why the message cannot be said to this server at all, if it cannot. */
export function unsendable(message: BuiltMessage, extensions: SmtpExtensions): RecipientOutcome[] | undefined {
  const { from, recipients, needsSmtpUtf8 } = message;
  const reject = (reply: SmtpReply) => outcomesForAll(recipients, 'rejected', reply);
  if (recipients.length === 0) return [];
  if (needsSmtpUtf8 && !extensions.smtpUtf8) {
    const text = 'The next hop does not support internationalised addresses (SMTPUTF8, RFC 6531).';
    return reject(instead(text, 'NO_SMTPUTF8'));
  }
  const { maxSize } = extensions;
  if (maxSize !== undefined && (sizeOf(message) ?? 0) > maxSize) {
    return reject(instead(`Message size larger than allowed ${maxSize}`, 'EMESSAGE'));
  }
  if (UNFIT.test(from) || recipients.some((address) => address === '' || UNFIT.test(address))) {
    return reject(instead('An address fits into no command.', 'EENVELOPE'));
  }
  return undefined;
}
