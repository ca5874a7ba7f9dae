import { RedisConnection } from 'bullmq';
import { type ConnectedQueue, isOnRedis } from './queue-backend.check.js';

const NO_CLIENT =
  'EmailsModule: its queues are in a Redis, and BullMQ needs `ioredis` to connect to it. Run `npm install ioredis`, or give ' +
  '`BullModule` a client that is connected already.';

/**
 * Loads the client that BullMQ 6 creates from connection options. Without it, BullMQ tries to connect without a pause,
 * so that the application neither starts nor ends. BullMQ 5 includes it.
 *
 * @throws Error that names the missing package
 */
export async function checkRedisClient(
  queue: ConnectedQueue,
  load: () => Promise<unknown> = () => import('ioredis'),
): Promise<void> {
  const makesClients = 'clientFactory' in RedisConnection;
  if (!queue.getBackend || !isOnRedis(queue) || isClient(queue.opts?.connection) || makesClients) return;
  try {
    await load();
  } catch (cause) {
    throw new Error(NO_CLIENT, { cause });
  }
}

function isClient(connection: unknown): boolean {
  return typeof connection === 'object' && connection !== null && 'duplicate' in connection;
}
