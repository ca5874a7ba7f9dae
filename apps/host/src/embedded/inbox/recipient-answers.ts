/** Reply of an SMTP server to a recipient that it refuses. */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** Recipients that the inbox answers in a special way. */
interface SimulatedAddress {
  /** Applies to each address that begins with the local part of this one. */
  address: string;
  /** Effect on an email to it, as a sentence. */
  effect: string;
  /** Reply to the first deliveries, and their number. Default: accepted at once. */
  refusal?: { code: number; text: string; times: number };
  /** A report that comes back after it was accepted. Default: none. */
  report?: ReportKind;
  /** True if it counts as being on the suppression list, so that nothing comes here. Default: false. */
  isSuppressed?: boolean;
}

/** Kinds of reports that the inbox sends. */
export type ReportKind = 'bounce' | 'complaint' | 'away';

/** Every outcome that can be tried with the inbox. */
export const SIMULATED_ADDRESSES: readonly SimulatedAddress[] = [
  { address: 'delivered@example.com', effect: 'Accepted: the email is delivered.' },
  {
    address: 'bounced@example.com',
    effect: 'Refused permanently: the email bounces.',
    refusal: { code: 550, text: 'There is no such mailbox, as its name asks for', times: Number.POSITIVE_INFINITY },
  },
  {
    address: 'delayed@example.com',
    effect: 'Deferred twice, then accepted: the email is delayed, then delivered.',
    refusal: { code: 451, text: 'Try again later, as the mailbox name asks for', times: 2 },
  },
  {
    address: 'later-bounced@example.com',
    effect: 'Accepted, then returned by a delivery report: the email is delivered, then bounces.',
    report: 'bounce',
  },
  {
    address: 'complained@example.com',
    effect: 'Accepted, then called spam by a feedback report: the email is delivered, then complained about.',
    report: 'complaint',
  },
  {
    address: 'away@example.com',
    effect: 'Accepted, and answered by an out-of-office note, which changes nothing.',
    report: 'away',
  },
  {
    address: 'suppressed@example.com',
    effect: 'On the suppression list: nothing is sent, and the email is suppressed.',
    isSuppressed: true,
  },
];

const PATTERNS = SIMULATED_ADDRESSES.map(({ address, ...answer }) => ({
  ...answer,
  pattern: new RegExp(`^"?${address.slice(0, address.indexOf('@'))}`, 'i'),
}));
const REFUSALS = PATTERNS.flatMap(({ pattern, refusal }) => (refusal ? [{ ...refusal, pattern }] : []));
const REMEMBERED_ADDRESSES = 10_000;

/** The report that an accepted recipient causes, if any. */
export function reportOf(address: string): ReportKind | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(address))?.report;
}

/** True for an address that counts as being on the suppression list. */
export function isSuppressed(address: string): boolean {
  return PATTERNS.some(({ pattern, isSuppressed = false }) => isSuppressed && pattern.test(address));
}

/** Answers by the name of an address, so that every outcome can be tried (`SIMULATED_ADDRESSES`). */
export class RecipientAnswers {
  /** Refused deliveries to addresses that are accepted after some. */
  private readonly refused = new Map<string, number>();

  /** The refusal of this attempt, or undefined when the recipient is accepted. */
  refusalOf(address: string): SmtpRefusal | undefined {
    const refusal = REFUSALS.find(({ pattern }) => pattern.test(address));
    if (!refusal || !this.isRefused(address.toLowerCase(), refusal.times)) return undefined;
    return new SmtpRefusal(refusal.code, refusal.text);
  }

  private isRefused(address: string, times: number): boolean {
    if (times === Number.POSITIVE_INFINITY) return true;
    const attempt = (this.refused.get(address) ?? 0) + 1;
    this.refused.delete(address);
    if (attempt > times) return false;
    this.refused.set(address, attempt);
    const [oldest] = this.refused.keys();
    if (oldest !== undefined && this.refused.size > REMEMBERED_ADDRESSES) this.refused.delete(oldest);
    return true;
  }
}
