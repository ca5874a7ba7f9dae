import { Redis } from 'ioredis';
import { PATIENCE } from '../basics/patience.mjs';

/** Longer than any run. */
const LEASE_SECONDS = 3 * 3_600;
const leaseKey = (index) => `nestjs-emails-tests:database:${index}`;

/**
 * Acquires an empty logical database of the server at `url` that no other suite uses, so that parallel suites never see
 * each other's jobs. Entries in database 0 mark used ones. Resolves to the database's URL and a `release()` that
 * empties and releases it.
 */
export async function leaseRedisDatabase(url, runId) {
  return withRedis(url, async (redis) => {
    const count = await databaseCount(redis);
    for (let index = 1; index < count; index += 1) {
      if ((await redis.set(leaseKey(index), runId, 'EX', LEASE_SECONDS, 'NX')) === null) continue;
      await redis.select(index);
      // Unmarked data does not belong to a test, and stays untouched.
      const empty = (await redis.dbsize()) === 0;
      await redis.select(0);
      if (empty) return { url: databaseUrl(url, index), release: () => release(url, [index]) };
      await redis.del(leaseKey(index));
    }
    throw new Error(`No empty logical database is left among the ${count} of the Redis server under test.`);
  });
}

/** Empties and releases all databases that a run still holds. */
export async function releaseRedisDatabases(url, runId) {
  const held = await withRedis(url, async (redis) => {
    const indexes = Array.from({ length: (await databaseCount(redis)) - 1 }, (_, i) => i + 1);
    const owners = await redis.mget(indexes.map(leaseKey));
    return indexes.filter((_, i) => owners[i] === runId);
  });
  await release(url, held);
}

async function release(url, indexes) {
  await withRedis(url, async (redis) => {
    for (const index of indexes) {
      await redis.select(index);
      await redis.flushdb();
      await redis.select(0);
      await redis.del(leaseKey(index));
    }
  });
}

async function databaseCount(redis) {
  const [, count] = await redis.config('GET', 'databases');
  return Number(count);
}

function databaseUrl(url, index) {
  const address = new URL(url);
  address.pathname = `/${index}`;
  return address.href;
}

async function withRedis(url, work) {
  const redis = new Redis(databaseUrl(url, 0), { lazyConnect: true, retryStrategy: null, connectTimeout: PATIENCE });
  redis.on('error', () => {}); // The failing command rejects with the error.
  await redis.connect();
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
