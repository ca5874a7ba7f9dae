import type { Reply } from './reply-reader.js';
import type { Expected } from './smtp-dialogue.js';
import { isRefusal } from './smtp-outcomes.js';
import { CLOSING, type SmtpTransaction } from './smtp-transaction.js';

/** For how long the answer to a message is kept back when the replies behind it do not come. Milliseconds. */
export const DOUBT = 1_000;
/** As DATA is answered where all recipients were refused (RFC 5321 section 3.3). */
const NO_RECIPIENTS = [503, 554];
/** RFC 3463 section 3.2: about an address, and not a recipient's (2.1.5). No answer to a message is. */
const ABOUT_ADDRESS = /^2\d\d[ -]2\.1\.(?!5\b)\d/;

/**
 * A message that was answered, while the replies to the envelope behind it are still to come. The answer counts, unless the
 * replies behind it say that it may be the first of theirs, the one to MAIL, and that to the message was swallowed.
 */
export class HeldAnswer {
  private transaction: SmtpTransaction | undefined;
  private doubt: NodeJS.Timeout | undefined;

  /**
   * @param tellOf tells what the server answered
   * @param next the reply that is to come next
   * @param isLate whether nothing came for a while
   */
  constructor(
    private readonly tellOf: (transaction: SmtpTransaction) => void,
    private readonly next: () => Expected | undefined,
    private readonly isLate: () => boolean,
  ) {}

  hold(transaction: SmtpTransaction): void {
    this.transaction = transaction;
  }

  /** What is held is told after a while. */
  watch(): void {
    if (this.transaction) this.doubt ??= setTimeout(() => this.isDoubtful || this.tell(), DOUBT);
  }

  tell(): void {
    const { transaction } = this;
    this.letGo();
    if (transaction) this.tellOf(transaction);
  }

  /** The connection ends. @param isShifted whether the end says that the answer may be another command's */
  end(isShifted: boolean): void {
    if (this.transaction && (isShifted || this.isDoubtful)) {
      this.transaction.isAnswered = false;
      this.letGo();
    } else this.tell();
  }

  /** Whether the answer may be the one behind it, which says something else. */
  isOneTooManyFor(behind: SmtpTransaction | undefined): boolean {
    return isRefusal(behind?.mail) !== isRefusal(this.transaction?.dot);
  }

  /** Whether the answer may be the reply to MAIL, as far as its words say. */
  get mayBeToMail(): boolean {
    const { mail, dot } = this.transaction ?? {};
    if (!mail || !dot || ABOUT_ADDRESS.test(dot.text) || isRefusal(dot)) return true;
    return wordsOf(dot) === wordsOf(mail);
  }

  private letGo(): void {
    clearTimeout(this.doubt);
    this.doubt = undefined;
    this.transaction = undefined;
  }

  /**
   * Whether all replies to the envelope behind are there but the last, after a refusal: as it would be had the answer been
   * swallowed, and DATA been refused. Where its words do not tell them apart, a server that hangs up with the refusal of
   * a recipient is believed; one that falls silent may have said all that it has to say.
   */
  private get isDoubtful(): boolean {
    const behind = this.next();
    const last = behind?.of?.rcpt.at(-1);
    if (behind?.to !== 'DATA' || !behind.of || !isRefusal(last) || last.code === CLOSING) return false;
    if (ABOUT_ADDRESS.test(this.transaction?.dot?.text ?? '')) return true;
    return this.mayBeToMail && (this.isLate() || refusesAll(behind.of, last));
  }
}

/** Whether these would be the replies to recipients who are all refused, and to DATA because of that. */
function refusesAll({ mail, rcpt }: SmtpTransaction, last: Reply): boolean {
  return isRefusal(mail) && rcpt.every(isRefusal) && NO_RECIPIENTS.includes(last.code);
}

/** Without addresses, of which a reply to MAIL may name one. In one pass, as a server chooses the text. */
function wordsOf({ text }: Reply): string {
  const words = text.split(/\s+/);
  return words.filter((word) => !/[<@]/.test(word)).join(' ');
}
