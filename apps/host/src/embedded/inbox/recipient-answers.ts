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
  /** A fault of the server, for mail to this address alone. Default: none. */
  fault?: Fault;
  /** A report that comes back after it was accepted. Default: none. */
  report?: ReportKind;
  /** True if it counts as being on the suppression list, so that nothing comes here. Default: false. */
  isSuppressed?: boolean;
}

/** A fault that a server has for a time, or a number of times. */
interface Fault {
  /** `late`: the reply comes after the time; `closed`: the connection is closed without one; `tooMuch`: 452. */
  kind: 'late' | 'closed' | 'tooMuch';
  /** Milliseconds from the first delivery. Default: no end. */
  lasts?: number;
  /** Deliveries. Default: any number. */
  times?: number;
}

/** Answer to a recipient: a refusal, a delay of its acceptance in milliseconds, or a closed connection. */
export type RecipientAnswer = SmtpRefusal | number | 'close' | undefined;

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
    address: 'slow@example.com',
    effect: 'Accepted after 30 seconds.',
    fault: { kind: 'late' },
  },
  {
    address: 'closed@example.com',
    effect: 'The server closes the connection once, then accepts: the email is delayed, or leaves by another server.',
    fault: { kind: 'closed', times: 1 },
  },
  {
    address: 'toomuch@example.com',
    effect: 'The server gets too much for a minute, then accepts: the email is delayed.',
    fault: { kind: 'tooMuch', lasts: 60_000 },
  },
  {
    address: 'dead@example.com',
    effect: 'The server closes each connection for ten minutes, then accepts: the email is delayed.',
    fault: { kind: 'closed', lasts: 600_000 },
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
const FAULTS = PATTERNS.flatMap(({ pattern, fault }) => (fault ? [{ ...fault, pattern }] : []));
const REMEMBERED_ADDRESSES = 10_000;
/** Milliseconds. */
const LATE = 30_000;

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
  /** When faults began. Milliseconds of `now()`. */
  private readonly began = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The answer to this delivery; undefined when the recipient is accepted at once. */
  answerTo(address: string): RecipientAnswer {
    const fault = FAULTS.find(({ pattern }) => pattern.test(address));
    return fault ? this.answerOf(address.toLowerCase(), fault) : this.refusalOf(address);
  }

  private refusalOf(address: string): SmtpRefusal | undefined {
    const refusal = REFUSALS.find(({ pattern }) => pattern.test(address));
    if (!refusal || !this.isRefused(address.toLowerCase(), refusal.times)) return undefined;
    return new SmtpRefusal(refusal.code, refusal.text);
  }

  private answerOf(address: string, { kind, times, lasts }: Fault): RecipientAnswer {
    if (kind === 'late') return LATE;
    if (times !== undefined && !this.isRefused(address, times)) return undefined;
    if (lasts !== undefined && !this.lasts(address, lasts)) return undefined;
    return kind === 'closed' ? 'close' : new SmtpRefusal(452, '4.7.0 Too many messages, as the mailbox name asks for');
  }

  private lasts(address: string, time: number): boolean {
    const began = this.began.get(address) ?? this.now();
    remember(this.began, address, began);
    return this.now() - began < time;
  }

  private isRefused(address: string, times: number): boolean {
    if (times === Number.POSITIVE_INFINITY) return true;
    const attempt = (this.refused.get(address) ?? 0) + 1;
    this.refused.delete(address);
    if (attempt > times) return false;
    remember(this.refused, address, attempt);
    return true;
  }
}

function remember(known: Map<string, number>, address: string, value: number): void {
  known.set(address, value);
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size > REMEMBERED_ADDRESSES) known.delete(oldest);
}
