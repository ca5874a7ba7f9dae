import type { ReportService } from '../emails/change/report.service.js';
import { askInOrder, type RecipientPolicies, type Refused } from '../emails/deliver/recipient-policies.js';
import { DEFAULT_RETRY_SCHEDULE } from '../emails/deliver/retry-schedule.js';
import { settle } from '../emails/deliver/settlement.js';
import type { EventAnnouncer } from '../emails/observation/event-announcer.js';
import type { RecipientOutcome } from '../emails/ports/email-transport.js';
import type { Pause } from '../emails/ports/pause.js';
import { reasonText } from '../emails/states/reason-codes.js';
import { isPending } from '../emails/states/recipient-state.js';
import type { NewEmail } from '../emails/storage/accept/emails.repository.js';
import { addressKey } from '../shared/mailbox/address-key.js';
import { RetryPolicy } from '../shared/work/retry-policy.js';
import { DURATIONS, type MailboxFault } from './mailbox-faults.js';
import type { MemoryEmails } from './memory-emails.js';
import type { MemoryPauses } from './memory-pauses.js';

/** It refuses mail with this reply, accepts it and reports it as spam, accepts it, or its server has a fault. */
export type Mailbox = { reply: { code: number; text: string } } | 'complains' | 'accepts' | MailboxFault;

type MailboxOf = (address: string) => Mailbox | undefined;

/** An attempt whose reply is awaited. */
interface BegunAttempt {
  at: number;
  refused: Refused;
}

/** The next hop is the recipients' own server. Retries are exactly as late as planned. */
const RULES = {
  hop: 'final',
  onUnknown: 'retry',
  retryPolicy: new RetryPolicy(DEFAULT_RETRY_SCHEDULE, () => 0),
} as const;

/** In the words of `SmtpTransport`. */
const CLOSED = { text: 'Connection closed unexpectedly', error: 'ECONNECTION' } as const;
const TOO_MUCH = { code: 452, text: '452 4.7.0 Too many messages', stage: 'rcpt' } as const;

/** Delivers the emails of a test to mailboxes, by the policies and the rules of delivery. */
export class MemoryDelivery {
  /** Attempts at slow mailboxes, by email. */
  private readonly begun = new Map<string, BegunAttempt>();
  /** When faults began, by address. Milliseconds of the clock. */
  private readonly faults = new Map<string, number>();

  constructor(
    private readonly emails: MemoryEmails,
    private readonly pauses: MemoryPauses,
    private readonly policies: RecipientPolicies,
    private readonly announcer: EventAnnouncer,
    private readonly reports: ReportService,
  ) {}

  private get now(): number {
    return this.emails.clock.now();
  }

  /** Delivers each email that is due now and not paused. @param mailboxOf undefined: it accepts */
  async run(mailboxOf: MailboxOf): Promise<void> {
    const pauses = await this.pauses.list();
    for (const email of this.emails.due()) {
      if (!pauses.some((pause) => keeps(pause, email))) await this.deliver(email, mailboxOf);
    }
  }

  /** Lets time pass. Milliseconds. */
  advance(time: number): void {
    this.emails.clock.advance(time);
  }

  /** Faults begin again with the next delivery. @param key address without letter case and quotes; undefined: of all addresses */
  forgetFaults(key?: string): void {
    if (key === undefined) this.faults.clear();
    else this.faults.delete(key);
  }

  private async deliver(email: NewEmail, mailboxOf: MailboxOf): Promise<void> {
    const { id: emailId } = email;
    this.announce(email, this.emails.start(emailId));
    const { recipients, attempts } = this.emails.histories.of(emailId);
    const addresses = recipients.filter(isPending).map(({ address }) => address);
    const begun = this.begun.get(emailId) ?? { at: this.now, refused: await this.refusedOf(email, addresses) };
    const asked = addresses.filter((address) => !begun.refused.has(address));
    if (asked.some((address) => mailboxOf(address) === 'slow') && this.now - begun.at < DURATIONS.slow) {
      this.begun.set(emailId, begun);
      return;
    }
    this.begun.delete(emailId);
    const outcomes = this.outcomesOf(asked, attempts, mailboxOf);
    const isTried = outcomes.length > 0;
    const findings = {
      recipients,
      refused: begun.refused,
      outcomes: isTried ? outcomes : null,
      attempts: attempts + (isTried ? 1 : 0),
    };
    this.announce(email, this.emails.settle(emailId, settle(findings, RULES)));
    for (const { address, outcome } of outcomes) {
      if (outcome !== 'accepted' || mailboxOf(address) !== 'complains') continue;
      await this.reports.report({ emailId, recipient: address, kind: 'complained', source: 'feedback' });
    }
  }

  private refusedOf(email: NewEmail, addresses: readonly string[]): Promise<Refused> {
    const { id: emailId, accountId, topicId, apiKeyId = null, domainId = null } = email;
    const policies = this.policies.of({ ...email, apiKeyId, domainId, acceptedFor: 0 });
    return askInOrder(policies, { accountId, emailId, topicId, addresses }, () => true);
  }

  /** @param attempts number of ended attempts */
  private outcomesOf(addresses: readonly string[], attempts: number, mailboxOf: MailboxOf): RecipientOutcome[] {
    const outcomes = addresses.map((address) => this.outcomeOf(address, attempts, mailboxOf(address)));
    // They share a connection: once it is closed, nobody gets the message.
    const isClosed = outcomes.some(({ reply }) => reply === CLOSED);
    return outcomes.map((one) =>
      isClosed && one.outcome === 'accepted' ? { ...one, outcome: 'deferred', reply: CLOSED } : one,
    );
  }

  private outcomeOf(address: string, attempts: number, mailbox: Mailbox | undefined): RecipientOutcome {
    if (typeof mailbox === 'object') return { address, outcome: 'rejected', reply: mailbox.reply };
    if (mailbox === 'toomuch' && this.lasts(address, mailbox)) return { address, outcome: 'deferred', reply: TOO_MUCH };
    const isClosed = mailbox === 'closed' ? attempts === 0 : mailbox === 'dead' && this.lasts(address, mailbox);
    if (isClosed) return { address, outcome: 'deferred', reply: CLOSED };
    return { address, outcome: 'accepted', reply: { code: 250, text: '250 2.0.0 Accepted' } };
  }

  private lasts(address: string, fault: 'toomuch' | 'dead'): boolean {
    const key = addressKey(address);
    const began = this.faults.get(key) ?? this.now;
    this.faults.set(key, began);
    return this.now - began < DURATIONS[fault];
  }

  private announce({ id: emailId, accountId }: NewEmail, events: ReturnType<MemoryEmails['settle']>): void {
    this.announcer.announce(
      events.map((event) => {
        const reason = reasonText(event.reasonCode, event.reason);
        return { accountId, emailId, ...event, ...(reason !== null && { reason }) };
      }),
    );
  }
}

/** A pause of one transport keeps nothing here: mailboxes have none. */
function keeps({ account, topic, template, transport }: Pause, { accountId, topicId, templateId }: NewEmail): boolean {
  if (transport !== undefined) return false;
  if (account !== undefined) return account === accountId;
  if (topic !== undefined) return topic === topicId;
  return template === undefined || template === templateId;
}
