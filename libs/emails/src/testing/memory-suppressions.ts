import type { EmailEvent, EmailEventListener } from '../emails/ports/event-listener.js';
import type {
  RecipientDecision,
  RecipientPolicy,
  RecipientQuestion,
  SuppressionReason,
} from '../emails/ports/recipient-policy.js';
import { addressKey } from '../shared/mailbox/address-key.js';
import { suppresses } from '../shared/replies/suppresses.js';

interface Entry {
  reason: SuppressionReason;
  /** The reply that put it on the list. */
  reply?: string | undefined;
}

const REASONS = { bounce: 'previous_bounce', complaint: 'previous_complaint' } as const;

/** Suppression lists in memory: bounces and complaints add to that of their account, as with `feedback()`. */
export class MemorySuppressions implements RecipientPolicy, EmailEventListener {
  readonly isSuppressionList = true;
  private readonly ofAll = new Map<string, Entry>();
  private readonly ofAccounts = new Map<string, Map<string, Entry>>();

  /** @param accountId undefined: all accounts */
  add(address: string, entry: Entry, accountId?: string): void {
    const list = accountId === undefined ? this.ofAll : (this.ofAccounts.get(accountId) ?? new Map<string, Entry>());
    if (accountId !== undefined) this.ofAccounts.set(accountId, list);
    list.set(addressKey(address), entry);
  }

  has(accountId: string, address: string): boolean {
    return this.find(accountId, address) !== undefined;
  }

  clear(): void {
    this.ofAll.clear();
    this.ofAccounts.clear();
  }

  onEvents(events: readonly EmailEvent[]): void {
    for (const event of events) {
      const origin = suppresses(event);
      if (!origin || event.recipient === undefined) continue;
      this.add(event.recipient, { reason: REASONS[origin], reply: event.reason }, event.accountId);
    }
  }

  async decide({
    accountId,
    addresses,
  }: Pick<RecipientQuestion, 'accountId' | 'addresses'>): Promise<RecipientDecision[]> {
    return addresses.map((address) => {
      const entry = this.find(accountId, address);
      if (!entry) return { allowed: true };
      const { reason: code, reply } = entry;
      const suppressed = { reason: code, diagnosticCode: reply === undefined ? [] : [`smtp; ${reply}`] };
      return { allowed: false, code, ...(reply !== undefined && { reason: reply }), suppressed };
    });
  }

  private find(accountId: string, address: string): Entry | undefined {
    const key = addressKey(address);
    return this.ofAccounts.get(accountId)?.get(key) ?? this.ofAll.get(key);
  }
}
