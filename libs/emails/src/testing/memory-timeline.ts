import { STATELESS_EVENTS } from '../emails/states/email-states.js';
import type {
  EventsBounds,
  FollowedEmail,
  KeptEvent,
  RecipientOfTopic,
  RecipientsRow,
  TimelineStore,
} from '../emails/storage/read/timeline.repository.js';
import type { MemoryEmails } from './memory-emails.js';
import { written } from './written.js';

/** Timelines of the emails of a test. */
export class MemoryTimeline implements TimelineStore {
  constructor(private readonly emails: Pick<MemoryEmails, 'find' | 'histories' | 'owned'>) {}

  async followed(accountId: string, id: string): Promise<FollowedEmail | undefined> {
    if (!(await this.emails.find(accountId, id))) return undefined;
    return { addresses: this.emails.histories.of(id).recipients.map(({ address }) => address) };
  }

  async topicRecipient(emailId: string, index: number): Promise<RecipientOfTopic | undefined> {
    const found = this.emails.owned(emailId);
    const { recipients } = this.emails.histories.of(emailId);
    return found && { ...found, address: recipients[index]?.address ?? null };
  }

  async isEvent(emailId: string, eventId: string): Promise<boolean> {
    return this.emails.histories.of(emailId).events.some(({ id }) => id === eventId);
  }

  async events(emailId: string, { after, types, recipients, limit }: EventsBounds): Promise<KeptEvent[]> {
    const { events } = this.emails.histories.of(emailId);
    return events
      .toReversed()
      .filter(({ id, type, recipient }) => {
        const isBefore = after === undefined || Number(id) < Number(after);
        return isBefore && types?.includes(type) !== false && recipients?.includes(recipient ?? '') !== false;
      })
      .slice(0, limit);
  }

  async recipients(accountId: string, id: string): Promise<RecipientsRow | undefined> {
    const email = await this.emails.find(accountId, id);
    if (!email) return undefined;
    const { recipients, events, nextAttemptAt } = this.emails.histories.of(id);
    const tried = new Map<string, RecipientsRow['tried'][number]>();
    const latest = new Map<string, RecipientsRow['latest'][number]>();
    for (const { recipient: address, attempt, createdAt, ...event } of events) {
      if (address === null || STATELESS_EVENTS.includes(event.type)) continue;
      latest.set(address, { address, ...event });
      if (attempt !== null)
        tried.set(address, { address, attempts: attempt, lastAttemptAt: createdAt, endedBy: attempt });
    }
    return {
      ...email,
      recipients: [...recipients],
      nextAttemptAt: nextAttemptAt === null ? null : written(new Date(nextAttemptAt)),
      forgotten: false,
      tried: [...tried.values()],
      lost: [],
      retries: {},
      latest: [...latest.values()],
    };
  }
}
