import { createHash } from 'node:crypto';

/**
 * The names of the queues. Each is in braces, a hash tag: in a Redis Cluster all keys of one queue are on one node, and
 * several queues spread over the nodes.
 */
export function queueNames(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => (shard === 0 ? '{emails}' : `{emails-${shard}}`));
}

/** The queue of an account, the same in every process that has the same number of shards. */
export function shardOf(accountId: string, shards: number): number {
  if (shards === 1) return 0;
  return createHash('sha256').update(accountId).digest().readUInt32BE() % shards;
}
