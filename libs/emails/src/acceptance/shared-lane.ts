import { Batcher } from '../batching/batcher.js';
import { ApiError } from '../errors/api-error.js';
import { isDatabaseUnavailable, isLockTimeout } from '../errors/database-errors.js';
import type { AcceptResult, EmailStore, NewEmail } from '../storage/email.repository.js';

/** Emails of one statement. */
export const GROUP = 100;

/** Milliseconds for a claim of a key that does not show, which nobody can know before. All others wait meanwhile. */
const SHORT_WAIT = 200;
/** Milliseconds for what is left to wait for then: the tables themselves. */
const LONG_WAIT = 10_000;

interface Waiting {
  email: NewEmail;
  /** By the clock of `performance`. */
  since: number;
}

/** Where the database cannot serve, asking again for each email would only keep the others waiting. */
export function mayDivide(error: unknown): boolean {
  return !isDatabaseUnavailable(error);
}

/** Writes the emails of everybody, concurrent ones together. What would have to wait for a lock is `busy` instead. */
export class SharedLane {
  private readonly batcher: Batcher<Waiting, AcceptResult | 'late'>;
  /** Whether the database could not serve the last group. */
  private failing = false;

  /** @param patience milliseconds that an email waits for its turn while the database cannot serve */
  constructor(
    private readonly repository: EmailStore,
    private readonly patience: number,
  ) {
    this.batcher = new Batcher((group) => this.run(group), { maxSize: GROUP, mayDivide });
  }

  async add(email: NewEmail): Promise<AcceptResult> {
    const result = await this.batcher.add({ email, since: performance.now() });
    if (result === 'late') throw ApiError.held('account');
    return result;
  }

  private async run(group: readonly Waiting[]): Promise<(AcceptResult | 'late')[]> {
    const earliest = this.failing ? performance.now() - this.patience : Number.NEGATIVE_INFINITY;
    const emails = group.filter(({ since }) => since >= earliest).map(({ email }) => email);
    if (emails.length === 0) return group.map(() => 'late');
    const results = await this.accept(emails);
    return group.map(({ email }) => results.get(email.id) ?? 'late');
  }

  private async accept(emails: readonly NewEmail[]): Promise<Map<string, AcceptResult>> {
    try {
      const results = await this.acceptWithoutHiddenClaims(emails);
      this.failing = false;
      return results;
    } catch (error) {
      this.failing = isDatabaseUnavailable(error);
      throw error;
    }
  }

  private async acceptWithoutHiddenClaims(emails: readonly NewEmail[]): Promise<Map<string, AcceptResult>> {
    try {
      return byId(emails, await this.repository.accept(emails, SHORT_WAIT));
    } catch (error) {
      const keyless = emails.filter(({ idempotency }) => !idempotency);
      if (!isLockTimeout(error) || keyless.length === emails.length) throw error;
      const results = keyless.length > 0 ? await this.repository.accept(keyless, LONG_WAIT) : [];
      const keyed = emails.filter(({ idempotency }) => idempotency);
      const busy = byId(
        keyed,
        keyed.map(() => ({ accepted: false, busy: 'key' })),
      );
      return new Map([...byId(keyless, results), ...busy]);
    }
  }
}

function byId(emails: readonly NewEmail[], results: readonly AcceptResult[]): Map<string, AcceptResult> {
  return new Map(emails.map(({ id }, index) => [id, results[index] as AcceptResult]));
}
