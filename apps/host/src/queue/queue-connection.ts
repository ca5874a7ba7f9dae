import type { BullRootModuleOptions } from '@nestjs/bullmq';
import {
  createIORedisClient,
  createPostgresBackend,
  createRedisBackend,
  RedisConnection,
  setDefaultBackendFactory,
} from 'bullmq';
import { poolSettings } from '../database/data-source-options.js';
import { DatabaseClient } from '../database/database-client.js';
import { redisOptions } from '../redis/redis-options.js';
import type { RedisClients } from './redis-clients.js';

/** Backend of the queue: Redis if configured, else PostgreSQL. */
export interface QueueBackend {
  /** Not through a pooler: the queue listens on its connection. */
  databaseUrl: string;
  redisUrls: readonly string[] | undefined;
  /** Keeps the connections to Redis. */
  redisClients: RedisClients;
}

/** Timeout of a producer's command in Redis. Milliseconds. */
const COMMAND_TIMEOUT = 5_000;

/**
 * Connects every queue and worker of this process. Call it once, before Nest composes: BullMQ reads its backend and its
 * Redis clients from process-wide settings.
 */
export function queueConnection({ databaseUrl, redisUrls, redisClients }: QueueBackend): BullRootModuleOptions {
  if (redisUrls === undefined) {
    setDefaultBackendFactory(createPostgresBackend);
    return { connection: { ...poolSettings, connectionString: databaseUrl, max: 10, Client: DatabaseClient } as never };
  }
  setDefaultBackendFactory(createImpatientRedisBackend);
  RedisConnection.clientFactory = (options) => createIORedisClient(redisClients.create(redisUrls, options));
  return { connection: redisOptions };
}

/**
 * Producers fail at once while Redis is away and do not buffer commands in memory, because PostgreSQL has the same
 * information. Workers must wait, or they would retry without a pause.
 */
const createImpatientRedisBackend: typeof createRedisBackend = (name, options, kind = {}) => {
  const waits = kind.blocking || kind.withBlockingConnection;
  const impatience = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT };
  const connection = waits ? options.connection : { ...options.connection, ...impatience };
  return createRedisBackend(name, { ...options, connection } as typeof options, kind);
};
