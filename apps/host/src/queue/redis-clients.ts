import type { RedisOptions } from 'ioredis';
import { openRedis, type RedisClient } from '../redis/open-redis.js';

/**
 * The connections to Redis that BullMQ works with. Ours to make, because a BullMQ worker that closes while its connection
 * is between two attempts to reconnect never finishes closing.
 */
export class RedisClients {
  private readonly clients = new Set<RedisClient>();
  private givenUp = false;

  /** @param options with a `retryStrategy` that never gives up by itself */
  create(urls: readonly string[], { retryStrategy, ...options }: RedisOptions): RedisClient {
    const client = openRedis(urls, {
      ...options,
      retryStrategy: (times) => (this.givenUp ? null : retryStrategy?.(times)),
    });
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
    return client;
  }

  /** From now on no lost connection is restored. Returns when every connection either stands or has ended. */
  async giveUp(): Promise<void> {
    this.givenUp = true;
    await Promise.all([...this.clients].map(settled));
  }
}

function settled(client: RedisClient): Promise<void> {
  return new Promise((resolve) => {
    if (client.status === 'ready' || client.status === 'end') {
      resolve();
      return;
    }
    client.once('ready', () => resolve());
    client.once('end', () => resolve());
  });
}
