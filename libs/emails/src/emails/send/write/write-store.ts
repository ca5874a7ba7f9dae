import type { BusyLock } from '../../storage/email.repository.js';

/** What is written as a whole: an email, or all emails of one answer. */
export interface Writable {
  accountId: string;
  idempotency: { key: string; endpoint?: string } | null;
}

/** `busy`: what kept it from being tried; null when its idempotency key is taken. */
export type Unwritten = { accepted: false; busy: BusyLock | null };

/** What becomes of one that is tried. `Done` has `accepted: true`. */
export type Tried<Done> = Done | Unwritten;

/** What an item needs that another one of its account may hold. */
export function ownLock(item: Writable, givenIds: readonly string[]): Exclude<BusyLock, 'account'> | undefined {
  if (item.idempotency) return 'key';
  return givenIds.length > 0 ? 'message_id' : undefined;
}

/** Where it is written. `lockTimeout` in milliseconds, see `EmailRepository`. */
export interface WriteStore<Item extends Writable, Done extends { accepted: true }> {
  /** Waits for the accounts. */
  accept(items: readonly Item[], lockTimeout: number): Promise<Tried<Done>[]>;
  /** Waits for none. */
  acceptFree(items: readonly Item[], lockTimeout: number): Promise<Tried<Done>[]>;
  /** The message ids that callers gave, which others may have. */
  givenIds(item: Item): readonly string[];
  /** What was said of those that were written. */
  findAccepted(items: readonly Item[]): Promise<(Tried<Done> | undefined)[]>;
}
