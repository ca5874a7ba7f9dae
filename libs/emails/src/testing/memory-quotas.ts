import type { QuotaCount, QuotaStore } from '../emails/storage/accept/quota.repository.js';
import { parseMailbox } from '../shared/mailbox/mailbox.js';
import type { SentEmails } from './sent-emails.js';

/** Counts the emails that the test sees. `clear()` lets the counts begin again. */
export class MemoryQuotas implements QuotaStore {
  constructor(private readonly sent: SentEmails) {}

  async read(accountIds: readonly string[]): Promise<QuotaCount[]> {
    const day = new Date().toISOString().slice(0, 10);
    return accountIds.map((accountId) => {
      const count = this.recipientsOf(accountId);
      return { accountId, day, ofDay: count, month: `${day.slice(0, 7)}-01`, ofMonth: count };
    });
  }

  fold(accountIds: readonly string[]): Promise<QuotaCount[]> {
    return this.read(accountIds);
  }

  private recipientsOf(accountId: string): number {
    const emails = this.sent.all.filter((email) => email.accountId === accountId);
    const envelopes = emails.map(
      ({ to, cc, bcc }) => new Set([...to, ...cc, ...bcc].map((one) => parseMailbox(one).envelope)),
    );
    return envelopes.reduce((sum, { size }) => sum + size, 0);
  }
}
