import type { Settings } from '../config/settings.js';
import { type DatabaseWatcher, startEmbeddedPostgres } from '../embedded/embedded-postgres.js';
import { type Inbox, startInbox } from '../embedded/inbox/inbox.js';
import { RedisClients } from '../queue/redis-clients.js';
import { StartError } from '../shared/errors/start.error.js';
import type { Lifecycle } from './lifecycle.js';
import { openSecretKey } from './secret-key-file.js';

/** The services this process talks to: the operator's own, or ours where none are set. */
export interface Infrastructure {
  databaseUrl: string;
  /** The same database, not through a pooler. */
  directDatabaseUrl: string;
  smtpUrl: string;
  /** Present when mail goes to the local inbox of this process. */
  inbox: Inbox | undefined;
  /** Connections to Redis, if the queue is there. */
  redisClients: RedisClients;
  /** What links are signed with: the operator's, or ours where the database is ours. */
  secretKeys: readonly string[];
}

/** For a process that accepts emails but never sends any. */
const NEVER_ASKED = 'smtp://127.0.0.1';

/**
 * Starts what the settings leave to us.
 *
 * @param watcher told when our own database is lost
 */
export async function startInfrastructure(
  settings: Settings,
  lifecycle: Lifecycle,
  watcher: DatabaseWatcher,
): Promise<Infrastructure> {
  const [databaseUrl, inbox] = await Promise.all([
    settings.databaseUrl ?? embeddedDatabase(settings, lifecycle, watcher),
    settings.smtpUrl === undefined && settings.role !== 'api' ? localInbox(settings, lifecycle) : undefined,
  ]);
  const smtpUrl = settings.smtpUrl ?? inbox?.url ?? NEVER_ASKED;
  const directDatabaseUrl = settings.directDatabaseUrl ?? databaseUrl;
  const secretKeys = settings.secretKeys ?? ownSecretKeys(settings);
  return { databaseUrl, directDatabaseUrl, smtpUrl, inbox, redisClients: new RedisClients(), secretKeys };
}

/** Other processes may share the operator's database, and not this directory: they would have another key. */
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

function localInbox({ dataDir }: Settings, lifecycle: Lifecycle): Promise<Inbox> {
  return lifecycle.start(
    () => startInbox({ dataDir }).catch(refuseStart),
    (inbox) => inbox.close(),
  );
}

/** What stands in the way is about this machine or the data directory, and said so by its message. */
function refuseStart(error: unknown): never {
  const message = error instanceof Error ? error.message : 'The embedded services do not start.';
  throw new StartError(message, { cause: error });
}
