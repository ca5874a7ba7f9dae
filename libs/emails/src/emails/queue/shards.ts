import { createHash } from 'node:crypto';

/**
 * The names by which the queues are injected: `getQueueToken(name)`. Where jobs are kept, each queue has the name that
 * `queueNameOf` gives it.
 */
export function queueNames(shards: number): string[] {
  return Array.from({ length: shards }, (_, shard) => (shard === 0 ? '{emails}' : `{emails-${shard}}`));
}

/**
 * The name of a queue where jobs are kept, which other databases may share. It is in braces, a hash tag: in a Redis Cluster
 * all keys of one queue are on one node, and several queues spread over the nodes.
 *
 * @param name one of `queueNames`
 * @param identity of the database
 */
export function queueNameOf(name: string, identity: string): string {
  return name.replace('{emails', `{emails-${identity}`);
}

/** The queue of an account, the same in every process that has the same number of shards. */
export function shardOf(accountId: string, shards: number): number {
  if (shards === 1) return 0;
  return createHash('sha256').update(accountId).digest().readUInt32BE() % shards;
}
