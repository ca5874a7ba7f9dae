import type { Settings } from '../config/settings.js';
import { type DatabaseWatcher, startEmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { type Inbox, startInbox } from '../embedded/inbox/inbox.js';
import { RedisClients } from '../queue/redis-clients.js';
import { StartError } from '../shared/errors/start.error.js';
import { type DevelopmentKey, openDevelopmentKey, recordOf } from './development-key-file.js';
import type { Lifecycle } from './lifecycle.js';
import { openSecretKey } from './secret-key-file.js';

/** The services of this process: the operator's, or embedded ones. */
export interface Infrastructure {
  databaseUrl: string;
  /** The same database without a pooler. */
  directDatabaseUrl: string;
  /** One at least. */
  smtpUrls: readonly string[];
  /** Present when mail goes to the local inbox of this process. */
  inbox: Inbox | undefined;
  /** Signs mail for the local inbox, of domains that exist nowhere. Present with an inbox. */
  developmentKey: DevelopmentKey | undefined;
  /** Connections to Redis, if the queue is in Redis. */
  redisClients: RedisClients;
  /** Secret that signs links: the operator's, or a generated one with the embedded database. */
  secretKeys: readonly string[];
}

/** For a process that accepts emails but never sends any. */
const NEVER_ASKED = 'smtp://127.0.0.1';

/**
 * Starts the services that the settings do not name.
 *
 * @param watcher called when the embedded database is lost
 */
export async function startInfrastructure(
  settings: Settings,
  lifecycle: Lifecycle,
  watcher: DatabaseWatcher,
): Promise<Infrastructure> {
  const [databaseUrl, local] = await Promise.all([
    settings.databaseUrl ?? embeddedDatabase(settings, lifecycle, watcher),
    settings.smtpUrls === undefined && settings.role !== 'api' ? localInbox(settings, lifecycle) : undefined,
  ]);
  const { inbox, developmentKey } = local ?? { inbox: undefined, developmentKey: undefined };
  const smtpUrls = settings.smtpUrls ?? [inbox?.url ?? NEVER_ASKED];
  const directDatabaseUrl = settings.directDatabaseUrl ?? databaseUrl;
  const secretKeys = settings.secretKeys ?? ownSecretKeys(settings);
  const redisClients = new RedisClients();
  return { databaseUrl, directDatabaseUrl, smtpUrls, inbox, developmentKey, redisClients, secretKeys };
}

/** Other processes may share the operator's database, but not this directory, and would generate another key. */
function ownSecretKeys({ databaseUrl, dataDir }: Settings): string[] {
  return databaseUrl === undefined ? [openSecretKey(dataDir)] : [];
}

async function embeddedDatabase(
  { dataDir }: Settings,
  lifecycle: Lifecycle,
  watcher: DatabaseWatcher,
): Promise<string> {
  const { url } = await lifecycle.start(
    () => startEmbeddedPostgres({ dataDir, watcher }).catch(refuseStart),
    (postgres) => postgres.stop(),
  );
  return url;
}

async function localInbox({ dataDir, dnsServers }: Settings, lifecycle: Lifecycle) {
  const developmentKey = await openDevelopmentKey(dataDir).catch(refuseStart);
  const known = { selector: developmentKey.selector, record: recordOf(developmentKey) };
  const inbox = await lifecycle.start(
    () => startInbox({ dataDir, known, dnsServers }).catch(refuseStart),
    (started) => started.close(),
  );
  return { inbox, developmentKey };
}

/** The error concerns this machine or the data directory; its message says so. */
function refuseStart(error: unknown): never {
  const message = error instanceof Error ? error.message : 'The embedded services do not start.';
  throw new StartError(message, { cause: error });
}
