import type { RedisOptions } from 'ioredis';
import { openRedis, type RedisClient } from '../redis/open-redis.js';

/**
 * The Redis connections of BullMQ. We create them, because a BullMQ worker that is closed while its connection is
 * between two attempts to reconnect never finishes.
 */
export class RedisClients {
  private readonly clients = new Set<RedisClient>();
  private givenUp = false;

  /** @param options with a `retryStrategy` that never gives up */
  create(urls: readonly string[], { retryStrategy, ...options }: RedisOptions): RedisClient {
    const client = openRedis(urls, {
      ...options,
      retryStrategy: (times) => (this.givenUp ? null : retryStrategy?.(times)),
    });
    this.clients.add(client);
    client.once('end', () => this.clients.delete(client));
    return client;
  }

  /** From now on no lost connection is restored. Resolves when every connection is either open or has ended. */
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
