import type { EntityManager } from 'typeorm';

/**
 * $1: subscriber, $2: key, $3: account or null, $4: types or null. A subscription that is there keeps what waits for it. No
 * number is taken where nothing changes: a gap makes transactions that see no newer ones leave to workers who is told.
 */
export const SUBSCRIBE = `
INSERT INTO nestjs_emails.event_subscriptions AS s (subscriber, key, account_id, types)
SELECT $1, $2, $3, $4::text[] WHERE NOT EXISTS (
  SELECT FROM nestjs_emails.event_subscriptions
  WHERE subscriber = $1 AND key = $2 AND types IS NOT DISTINCT FROM $4::text[])
ON CONFLICT (subscriber, key) DO UPDATE SET types = excluded.types
WHERE s.types IS DISTINCT FROM excluded.types`;

/** $1: subscriber, $2: key. What waits for it is passed over from then on. */
const UNSUBSCRIBE = 'DELETE FROM nestjs_emails.event_subscriptions WHERE subscriber = $1 AND key = $2';

/** What an account is subscribed for. */
export interface Subscription {
  /** `name` of an `EventSubscription` that is told of chosen accounts. */
  subscriber: string;
  /** Tells this subscription of the subscriber from its others; it is handed over with each event. */
  key: string;
  accountId: string;
  /** Types of events. */
  types: readonly string[];
}

/**
 * Subscribes, or changes the types of a subscription that is there, in the caller's transaction: it gets every event that a
 * statement records which begins after the commit, and none that was committed before this is called.
 */
export async function subscribe(manager: EntityManager, subscription: Subscription): Promise<void> {
  const { subscriber, key, accountId, types } = subscription;
  await manager.query(SUBSCRIBE, [subscriber, key, accountId, types]);
}

/** What waits for it is not handed over any more, also when the same is subscribed again. */
export async function unsubscribe(
  manager: EntityManager,
  { subscriber, key }: Pick<Subscription, 'subscriber' | 'key'>,
): Promise<void> {
  await manager.query(UNSUBSCRIBE, [subscriber, key]);
}
