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
    if (idempotency && !this.keep(accountId, { ...idempotency, answer })) return { accepted: false, busy: null };
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

  /** False when the key is in use. */
  keep(accountId: string, { answer, requestHash, ...claim }: AnswerClaim & { answer: object }): boolean {
    const key = keyOf(accountId, claim);
    if (this.kept.has(key)) return false;
    this.kept.set(key, { answer, requestHash });
    return true;
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

function keyOf(accountId: string, { endpoint, key }: Pick<AnswerClaim, 'endpoint' | 'key'>): string {
  return JSON.stringify([accountId, endpoint, key]);
}
