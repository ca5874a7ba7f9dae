import type {
  AnswerClaim,
  AnswerResult,
  AnswerStore,
  EmailSource,
  KeptAnswer,
  NewAnswer,
} from '../emails/storage/accept/answer.repository.js';
import type { JoinedTransaction } from '../emails/storage/accept/transactions.js';
import type { MemoryEmails } from './memory-emails.js';

/** Keeps idempotent answers in memory, and stores their emails. */
export class MemoryAnswers implements AnswerStore {
  private readonly kept = new Map<string, KeptAnswer>();

  constructor(private readonly emails: MemoryEmails) {}

  async accept({ accountId, emails, answer, idempotency, source }: NewAnswer): Promise<AnswerResult> {
    if (idempotency) {
      const key = keyOf(accountId, idempotency);
      if (this.kept.has(key)) return { accepted: false, busy: null };
      this.kept.set(key, { answer, requestHash: idempotency.requestHash });
    }
    const content = source && (await this.emails.find(accountId, source.id));
    const accepted = await this.emails.accept(
      emails.map((email) => (content ? { ...email, html: content.html, text: content.text } : email)),
    );
    return { accepted: true, emails: accepted.flatMap((result) => (result.accepted ? [result] : [])) };
  }

  acceptFree(answer: NewAnswer): Promise<AnswerResult> {
    return this.accept(answer);
  }

  /** Ignores the transaction: emails of a rolled-back one stay recorded. */
  acceptWithin(_transaction: JoinedTransaction, answer: NewAnswer): Promise<AnswerResult> {
    return this.accept(answer);
  }

  async findAccepted(): Promise<undefined> {
    return undefined;
  }

  async findAnswer(accountId: string, claim: AnswerClaim): Promise<KeptAnswer | undefined> {
    return this.kept.get(keyOf(accountId, claim));
  }

  findSource(accountId: string, id: string): Promise<EmailSource | undefined> {
    return this.emails.findSource(accountId, id);
  }
}

function keyOf(accountId: string, { endpoint, key }: AnswerClaim): string {
  return JSON.stringify([accountId, endpoint, key]);
}
