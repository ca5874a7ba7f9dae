import type { BusyLock } from '../../storage/accept/emails.repository.js';

/** A unit of writing: an email, or all emails of one answer. */
export interface Writable {
  accountId: string;
  idempotency: { key: string; endpoint?: string } | null;
}

/** `busy`: the lock that prevented a try; null when its idempotency key is in use. */
export type Unwritten = { accepted: false; busy: BusyLock | null };

/** Result of a try. `Done` has `accepted: true`. */
export type Tried<Done> = Done | Unwritten;

/** Locks that an item needs and that another item of its account may hold. */
export function ownLock(item: Writable, givenIds: readonly string[]): Exclude<BusyLock, 'account'> | undefined {
  if (item.idempotency) return 'key';
  return givenIds.length > 0 ? 'message_id' : undefined;
}

/** Store of written items. `lockTimeout` in milliseconds, see `EmailsRepository`. */
export interface WriteStore<Item extends Writable, Done extends { accepted: true }> {
  /** Writes, and waits for the accounts. */
  accept(items: readonly Item[], lockTimeout: number): Promise<Tried<Done>[]>;
  /** Writes without waiting. */
  acceptFree(items: readonly Item[], lockTimeout: number): Promise<Tried<Done>[]>;
  /** The message ids given by callers, which other emails may have. */
  givenIds(item: Item): readonly string[];
  /** Results of the written items. */
  findAccepted(items: readonly Item[]): Promise<(Tried<Done> | undefined)[]>;
}
