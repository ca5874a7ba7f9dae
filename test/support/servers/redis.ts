import { rmSync } from 'node:fs';
import { afterFile } from '../basics/cleanup.js';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { fromTestRun } from '../jest/test-environment.js';
import { TcpProxy } from './proxy/tcp-proxy.js';
import { leaseRedisDatabase } from './redis-databases.mjs';
import { type RedisServer, startRedisServer } from './redis-server.mjs';

export type { RedisServer } from './redis-server.mjs';

/** The URL of a separate logical database on the Redis of this run. It is emptied after the test file. */
export async function freshRedisDatabase(): Promise<string> {
  const lease = await leaseRedisDatabase(fromTestRun('TEST_REDIS_URL'), fromTestRun('TEST_RUN_ID'));
  afterFile(() => lease.release());
  return lease.url;
}

/** The same, deleted with this run. */
export async function lastingRedisDatabase(): Promise<string> {
  const { url } = await leaseRedisDatabase(fromTestRun('TEST_REDIS_URL'), fromTestRun('TEST_RUN_ID'));
  return url;
}

/** A proxy in front of the Redis server of this run, to simulate outages. */
export function startRedisProxy(): Promise<TcpProxy> {
  const { hostname, port } = new URL(fromTestRun('TEST_REDIS_URL'));
  return TcpProxy.start(hostname, Number(port || 6379));
}

/**
 * A private Redis server that can be stopped and started again on its port, empty then unless `persistent`.
 * It is removed after the test file.
 */
export async function startRedis(options: { persistent?: boolean } = {}): Promise<RedisServer> {
  const folder = makeTempFolder('emails-test-redis-');
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startRedisServer({ folder, persistent: options.persistent ?? false });
  afterFile(() => server.stop('SIGKILL'));
  return server;
}
