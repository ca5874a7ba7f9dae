import { createHash } from 'node:crypto';

/**
 * The names under which the queues are injected: `getQueueToken(name)`. In Redis or PostgreSQL each queue has the name
 * from `queueNameOf`.
 *
 * @example
 * ```ts
 * queueNames(2); // names for `getQueueToken` where `queueShards` is 2
 * ```
 */
export function queueNames(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => (shard === 0 ? '{emails}' : `{emails-${shard}}`));
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

/** The queue of an account, the same in every process with the same number of shards. */
export function shardOf(accountId: string, shards: number): number {
  if (shards === 1) return 0;
  return createHash('sha256').update(accountId).digest().readUInt32BE() % shards;
}
