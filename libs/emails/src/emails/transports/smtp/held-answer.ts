import type { Reply } from './reply-reader.js';
import type { Expected } from './smtp-dialogue.js';
import { isRefusal } from './smtp-outcomes.js';
import { CLOSING, type SmtpTransaction } from './smtp-transaction.js';

/** How long the answer to a message is held when the replies to the next envelope do not come. Milliseconds. */
export const DOUBT = 1_000;
/** Replies to DATA when all recipients were refused (RFC 5321 section 3.3). */
const NO_RECIPIENTS = [503, 554];
/** Status about an address other than a recipient's (2.1.5), RFC 3463 section 3.2. No answer to a message has it. */
const ABOUT_ADDRESS = /^2\d\d[ -]2\.1\.(?!5\b)\d/;

/**
 * Holds the answer to a message until the replies to the envelope behind it arrive. The answer counts unless those
 * replies suggest that it was the first of theirs, the reply to MAIL, and that the message's own answer was swallowed.
 */
export class HeldAnswer {
  private transaction: SmtpTransaction | undefined;
  private doubt: NodeJS.Timeout | undefined;

  /**
   * @param onAnswer called with the message when its answer counts
   * @param next the next expected reply
   * @param isLate whether nothing arrived for some time
   */
  constructor(
    private readonly onAnswer: (transaction: SmtpTransaction) => void,
    private readonly next: () => Expected | undefined,
    private readonly isLate: () => boolean,
  ) {}

  hold(transaction: SmtpTransaction): void {
    this.transaction = transaction;
  }

  /** Reports the held answer after a delay. */
  watch(): void {
    if (this.transaction) this.doubt ??= setTimeout(() => this.isDoubtful || this.report(), DOUBT);
  }

  report(): void {
    const { transaction } = this;
    this.clear();
    if (transaction) this.onAnswer(transaction);
  }

  /** The connection ends. @param isShifted whether the end suggests that the answer belongs to another command */
  end(isShifted: boolean): void {
    if (this.transaction && (isShifted || this.isDoubtful)) {
      this.transaction.isAnswered = false;
      this.clear();
    } else this.report();
  }

  /** True if the answer may really be the reply behind it, which has the opposite meaning. */
  isOneTooManyFor(behind: SmtpTransaction | undefined): boolean {
    return isRefusal(behind?.mail) !== isRefusal(this.transaction?.dot);
  }

  /** True if the answer's text may be a reply to MAIL. */
  get mayBeToMail(): boolean {
    const { mail, dot } = this.transaction ?? {};
    if (!mail || !dot || ABOUT_ADDRESS.test(dot.text) || isRefusal(dot)) return true;
    return wordsOf(dot) === wordsOf(mail);
  }

  private clear(): void {
    clearTimeout(this.doubt);
    this.doubt = undefined;
    this.transaction = undefined;
  }

  /**
   * True if all replies to the envelope behind have arrived except the last, after a refusal. That is also the result
   * when the answer was swallowed and DATA refused. If the text does not distinguish the cases, a server that hangs up
   * together with the refusal of a recipient is believed. One that falls silent may have sent everything.
   */
  private get isDoubtful(): boolean {
    const behind = this.next();
    const last = behind?.of?.rcpt.at(-1);
    if (behind?.to !== 'DATA' || !behind.of || !isRefusal(last) || last.code === CLOSING) return false;
    if (ABOUT_ADDRESS.test(this.transaction?.dot?.text ?? '')) return true;
    return this.mayBeToMail && (this.isLate() || refusesAll(behind.of, last));
  }
}

/** True if these would be replies to recipients that are all refused, and to DATA because of that. */
function refusesAll({ mail, rcpt }: SmtpTransaction, last: Reply): boolean {
  return isRefusal(mail) && rcpt.every(isRefusal) && NO_RECIPIENTS.includes(last.code);
}

/** The text without addresses: a reply to MAIL may name one. One pass, because the server chooses the text. */
function wordsOf({ text }: Reply): string {
  const words = text.split(/\s+/);
  return words.filter((word) => !/[<@]/.test(word)).join(' ');
}
