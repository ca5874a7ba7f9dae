/** Reply of an SMTP server to a recipient that it refuses. */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

const DELAYS = 2;
const REMEMBERED_ADDRESSES = 10_000;

/**
 * Answers by the name of an address, so that every outcome can be tried: a local part that starts with `bounced` is
 * refused permanently, one that starts with `delayed` is deferred twice and then accepted, and all others are accepted.
 */
export class RecipientAnswers {
  private readonly delays = new Map<string, number>();

  /** The refusal of this attempt, or undefined when the recipient is accepted. */
  refusalOf(address: string): SmtpRefusal | undefined {
    if (/^"?bounced/i.test(address)) return new SmtpRefusal(550, 'There is no such mailbox, as its name asks for');
    if (/^"?delayed/i.test(address) && this.isDelayed(address.toLowerCase())) {
      return new SmtpRefusal(451, 'Try again later, as the mailbox name asks for');
    }
    return undefined;
  }

  private isDelayed(address: string): boolean {
    const attempt = (this.delays.get(address) ?? 0) + 1;
    this.delays.delete(address);
    if (attempt > DELAYS) return false;
    this.delays.set(address, attempt);
    const [oldest] = this.delays.keys();
    if (oldest !== undefined && this.delays.size > REMEMBERED_ADDRESSES) this.delays.delete(oldest);
    return true;
  }
}
