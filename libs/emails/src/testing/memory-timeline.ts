import type { ListedEmail } from '../emails/storage/accept/emails.repository.js';
import type {
  EventsBounds,
  FollowedEmail,
  KeptEvent,
  RecipientsRow,
  TimelineStore,
} from '../emails/storage/read/timeline.repository.js';
import { parseMailbox } from '../shared/mailbox/mailbox.js';
import type { MemoryEmails } from './memory-emails.js';

/** The only event. */
const FIRST = '1';

/** Timeline of emails that are never delivered: it ends with their acceptance. */
export class MemoryTimeline implements TimelineStore {
  private readonly found = new Map<string, ListedEmail>();

  constructor(private readonly emails: Pick<MemoryEmails, 'find'>) {}

  async followed(accountId: string, id: string): Promise<FollowedEmail | undefined> {
    const email = await this.emails.find(accountId, id);
    if (!email) return undefined;
    this.found.set(id, email);
    return { addresses: addressesOf(email) };
  }

  async isEvent(_emailId: string, eventId: string): Promise<boolean> {
    return eventId === FIRST;
  }

  async events(emailId: string, { after, types, recipients }: EventsBounds): Promise<KeptEvent[]> {
    const email = this.found.get(emailId);
    if (!email || after !== undefined || recipients || types?.includes(email.lastEvent) === false) return [];
    const { lastEvent: type, createdAt } = email;
    const nothing = { recipient: null, reason: null, reasonCode: null, attempt: null, source: null, bounce: null };
    return [{ id: FIRST, type, createdAt, ...nothing }];
  }

  async recipients(accountId: string, id: string): Promise<RecipientsRow | undefined> {
    const email = await this.emails.find(accountId, id);
    if (!email) return undefined;
    const recipients = addressesOf(email).map((address) => ({ address, status: 'pending' as const }));
    const nextAttemptAt = email.scheduledAt ?? email.createdAt;
    return { ...email, recipients, nextAttemptAt, forgotten: false, tried: [], lost: [], latest: [] };
  }
}

function addressesOf({ to, cc, bcc }: ListedEmail): string[] {
  return [...new Set([...to, ...cc, ...bcc].map((mailbox) => parseMailbox(mailbox).envelope))];
}
