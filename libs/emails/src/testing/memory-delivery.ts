import type { ReportService } from '../emails/change/report.service.js';
import { askInOrder, type RecipientPolicies } from '../emails/deliver/recipient-policies.js';
import { settle } from '../emails/deliver/settlement.js';
import type { EventAnnouncer } from '../emails/observation/event-announcer.js';
import type { RecipientOutcome } from '../emails/ports/email-transport.js';
import type { Pause } from '../emails/ports/pause.js';
import { reasonText } from '../emails/states/reason-codes.js';
import type { NewEmail } from '../emails/storage/accept/emails.repository.js';
import { RetryPolicy } from '../shared/work/retry-policy.js';
import type { MemoryEmails } from './memory-emails.js';
import type { MemoryPauses } from './memory-pauses.js';

/** A mailbox that is not an ordinary one: it refuses mail with this reply, or reports it as spam. */
export type Mailbox = { reply: { code: number; text: string } } | 'complains';

/** The next hop is the recipients' own server, and nothing is tried twice. */
const RULES = { hop: 'final', onUnknown: 'retry', retryPolicy: new RetryPolicy([]) } as const;

/** Delivers the emails of a test to mailboxes, by the policies and the rules of delivery. */
export class MemoryDelivery {
  constructor(
    private readonly emails: MemoryEmails,
    private readonly pauses: MemoryPauses,
    private readonly policies: RecipientPolicies,
    private readonly announcer: EventAnnouncer,
    private readonly reports: ReportService,
  ) {}

  /** Delivers each email that is due now and not paused. @param mailboxOf undefined: an ordinary one */
  async run(mailboxOf: (address: string) => Mailbox | undefined): Promise<void> {
    const pauses = await this.pauses.list();
    for (const email of this.emails.due()) {
      if (!pauses.some((pause) => keeps(pause, email))) await this.deliver(email, mailboxOf);
    }
  }

  private async deliver(email: NewEmail, mailboxOf: (address: string) => Mailbox | undefined): Promise<void> {
    const { id: emailId, accountId, topicId } = email;
    this.announce(email, this.emails.start(emailId));
    const { recipients, attempts } = this.emails.histories.of(emailId);
    const addresses = recipients.map(({ address }) => address);
    const { apiKeyId = null, domainId = null } = email;
    const policies = this.policies.of({ ...email, apiKeyId, domainId, acceptedFor: 0 });
    const refused = await askInOrder(policies, { accountId, emailId, topicId, addresses }, () => true);
    const outcomes = addresses
      .filter((address) => !refused.has(address))
      .map((address) => outcomeOf(address, mailboxOf(address)));
    const isTried = outcomes.length > 0;
    const findings = {
      recipients,
      refused,
      outcomes: isTried ? outcomes : null,
      attempts: attempts + (isTried ? 1 : 0),
    };
    this.announce(email, this.emails.settle(emailId, settle(findings, RULES)));
    for (const { address } of outcomes) {
      if (mailboxOf(address) !== 'complains') continue;
      await this.reports.report({ emailId, recipient: address, kind: 'complained', source: 'feedback' });
    }
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

function outcomeOf(address: string, mailbox: Mailbox | undefined): RecipientOutcome {
  if (mailbox === undefined || mailbox === 'complains') {
    return { address, outcome: 'accepted', reply: { code: 250, text: '250 2.0.0 Accepted' } };
  }
  return { address, outcome: 'rejected', reply: mailbox.reply };
}
