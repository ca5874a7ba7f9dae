import { queryJoined } from '../rows/query-joined.js';
import type { Transaction } from '../rows/sql-transaction.js';

/**
 * $1: subscriber, $2: key, $3: account or null, $4: types or null. An existing subscription keeps its waiting events.
 * An unchanged subscription uses up no number: after a gap, transactions that see no newer number leave the choice of
 * subscribers to workers.
 */
export const SUBSCRIBE = `
INSERT INTO nestjs_emails.event_subscriptions AS s (subscriber, key, account_id, types)
SELECT $1, $2, $3, $4::text[] WHERE NOT EXISTS (
  SELECT FROM nestjs_emails.event_subscriptions
  WHERE subscriber = $1 AND key = $2 AND types IS NOT DISTINCT FROM $4::text[])
ON CONFLICT (subscriber, key) DO UPDATE SET types = excluded.types
WHERE s.types IS DISTINCT FROM excluded.types`;

/** $1: subscriber, $2: key. Its waiting events are skipped from then on. */
const UNSUBSCRIBE = 'DELETE FROM nestjs_emails.event_subscriptions WHERE subscriber = $1 AND key = $2';

/** A subscription of an account. */
export interface Subscription {
  /** `name` of an `EventSubscription` for chosen accounts. */
  subscriber: string;
  /** Distinguishes this subscription from others of the subscriber; passed along with each event. */
  key: string;
  accountId: string;
  /** Types of events. */
  types: readonly string[];
}

/**
 * Subscribes, or changes the types of an existing subscription, in the caller's transaction. It receives every event
 * recorded by a statement that starts after the commit, and none that was committed before this call.
 *
 * @throws Error when the transaction is not open
 *
 * @example
 * ```ts
 * await dataSource.transaction(async (manager) => {
 *   await subscribe(manager, { subscriber: 'ledger', key: 'acme', accountId: 'acme', types: ['delivered', 'bounced'] });
 * });
 * ```
 */
export async function subscribe(transaction: Transaction, subscription: Subscription): Promise<void> {
  const { subscriber, key, accountId, types } = subscription;
  await queryJoined(transaction, SUBSCRIBE, [subscriber, key, accountId, types]);
}

/**
 * Ends a subscription. Its pending events are discarded, also if the same is subscribed again.
 *
 * @throws Error when the transaction is not open
 *
 * @example
 * ```ts
 * await dataSource.transaction((manager) => unsubscribe(manager, { subscriber: 'ledger', key: 'acme' }));
 * ```
 */
export async function unsubscribe(
  transaction: Transaction,
  { subscriber, key }: Pick<Subscription, 'subscriber' | 'key'>,
): Promise<void> {
  await queryJoined(transaction, UNSUBSCRIBE, [subscriber, key]);
}
