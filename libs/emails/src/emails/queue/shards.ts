import { createHash } from 'node:crypto';

/**
 * The names under which the queues are injected: `getQueueToken(name)`. The first half is for emails of the lane `now`, one
 * for each shard; the second half for `bulk`. In Redis or PostgreSQL each queue has the name from `queueNameOf`.
 *
 * @example
 * ```ts
 * queueNames(2); // names for `getQueueToken` where `queueShards` is 2
 * ```
 */
export function queueNames(shards: number): string[] {
  return ['{emails', '{emails-bulk'].flatMap((lane) =>
    Array.from({ length: shards }, (_, shard) => (shard === 0 ? `${lane}}` : `${lane}-${shard}}`)),
  );
}

/**
 * The name of a queue in Redis or PostgreSQL, which other databases may share. It is in braces, a hash tag: in a Redis
 * Cluster all keys of one queue are on one node, and several queues spread over the nodes.
 *
 * @param name one of `queueNames`
 * @param identity of the database
 */
export function queueNameOf(name: string, identity: string): string {
  return name.replace('{emails', `{emails-${identity}`);
}

/** The place in `queueNames` of an account's queue, the same in every process with the same number of shards. */
export function queueAt(accountId: string, isBulk: boolean, shards: number): number {
  return shardOf(accountId, shards) + (isBulk ? shards : 0);
}

export function shardOf(accountId: string, shards: number): number {
  if (shards === 1) return 0;
  return createHash('sha256').update(accountId).digest().readUInt32BE() % shards;
}
