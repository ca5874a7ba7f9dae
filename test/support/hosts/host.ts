import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterFile } from '../basics/cleanup.js';
import { freePort } from '../basics/free-port.mjs';
import { makeTempFolder } from '../basics/temp-folder.mjs';
import { queueKind } from '../jest/test-environment.js';
import { freshDatabase } from '../servers/postgres.js';
import type { TcpProxy } from '../servers/proxy/tcp-proxy.js';
import { freshRedisDatabase } from '../servers/redis.js';
import type { SmtpSink } from '../servers/smtp/smtp-sink.js';
import type { HostEnvironment } from './host-process.js';
import { RunningHost } from './running-host.js';
import { testedHost } from './tested-host.js';

export type { RunningHost } from './running-host.js';

export interface HostOptions {
  /** Where mail goes: a sink, a URL, or the host's own inbox (`SMTP_URL` unset). Default: `'inbox'`. */
  smtp?: SmtpSink | string | 'inbox';
  /** Default: `all`. */
  role?: 'all' | 'api' | 'worker';
  /** Another host whose database, queue and key are shared. Default: fresh ones. */
  beside?: RunningHost;
  /** The host reaches PostgreSQL through this. `query` and `databaseUrl` bypass it. */
  postgresProxy?: TcpProxy;
  /** The host reaches PostgreSQL through this pooler, and has the direct URL too. */
  pooler?: (databaseUrl: string) => string;
  /** The host reaches Redis through this. No effect if the queue is in PostgreSQL. */
  redisProxy?: TcpProxy;
  /** The Redis to use in place of a logical database of the run's server. No effect if the queue is in PostgreSQL. */
  redisUrl?: string;
  /**
   * `none`: neither DATABASE_URL nor REDIS_URL, the host has embedded ones; `query` does not work then. Default:
   * `shared`.
   */
  services?: 'shared' | 'none';
  /** The folder of another version's scripts, see `nextVersion`. Default: the built host. */
  version?: string;
  /** Added last to the environment; an undefined value removes a variable. */
  env?: HostEnvironment;
}

/** A schedule and a sweep that end within a test; other settings are the host's defaults. */
const QUICK: HostEnvironment = { RETRY_SCHEDULE: '1s,1s,1s,1s', SWEEP_INTERVAL: '1s', LOG_LEVEL: 'info' };

/** Enables links, which all hosts accept. */
const SECRET_KEY = 'for-tests-only-'.repeat(3);

/**
 * Starts the built host as a separate process, with a fresh migrated database and, in the Redis project, a fresh
 * logical Redis database. Resolves when `/health/ready` reports ready. Everything is removed after the test file.
 */
export async function startHost(options: HostOptions = {}): Promise<RunningHost> {
  const prepared = await prepareHost(options);
  await prepared.start();
  return prepared;
}

/** The same, not started: for tests of refused starts with `start()` or `runToEnd()`. */
export async function prepareHost(options: HostOptions = {}): Promise<RunningHost> {
  const { beside, smtp = 'inbox' } = options;
  const database = beside?.database ?? (options.services === 'none' ? undefined : await freshDatabase());
  const redisUrl = beside ? beside.redisUrl : await chooseRedis(options);
  const plain = await plainEnvironment({
    dataDir: dataDir(),
    databaseUrl: throughProxy(database?.url, options.postgresProxy),
    redisUrl: throughProxy(redisUrl, options.redisProxy),
    smtpUrl: smtp === 'inbox' ? undefined : typeof smtp === 'string' ? smtp : smtp.url,
    token: beside?.token,
  });
  const env: HostEnvironment = {
    ...plain,
    ROLE: options.role,
    ...(options.pooler && database && pooled(database.url, options.pooler)),
    ...options.env,
  };
  return new RunningHost(urlOf(plain), plain.BOOTSTRAP_API_KEY, database, redisUrl, env, options.version);
}

/** Values that differ between any two hosts. */
interface HostParts {
  dataDir: string;
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  /** The bootstrap API key. Default: a new one. */
  token?: string | undefined;
}

/** Environment of a host without further options: a free port, a key, and times that suit tests. */
export async function plainEnvironment({ dataDir, databaseUrl, redisUrl, smtpUrl, token }: HostParts) {
  return {
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: token ?? `re_${randomBytes(32).toString('base64url')}`,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SMTP_URL: smtpUrl,
    SECRET_KEY,
    ...QUICK,
  };
}

/** Base address of a host with this environment. */
export function urlOf({ PORT: port }: HostEnvironment): string {
  return `http://127.0.0.1:${port}${testedHost.basePath}`;
}

async function chooseRedis(options: HostOptions): Promise<string | undefined> {
  if (queueKind() !== 'redis' || options.services === 'none') return undefined;
  return options.redisUrl ?? freshRedisDatabase();
}

function pooled(url: string, pooler: (databaseUrl: string) => string): HostEnvironment {
  return { DATABASE_URL: pooler(url), DIRECT_DATABASE_URL: url };
}

function throughProxy(url: string | undefined, proxy: TcpProxy | undefined): string | undefined {
  return url && proxy ? proxy.through(url) : url;
}

function dataDir(): string {
  const folder = makeTempFolder('emails-test-host-');
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
