import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayReach, type ServerUser, systemUser, weAreRoot } from './server-user.js';
import { systemDirectory } from './system-directory.js';

/** The directory of one cluster, private to the user that runs it. */
export interface PostgresHome {
  directory: string;
  /** PGDATA; present once the cluster is complete. */
  data: string;
  /** File with the superuser's password, mode 0600. */
  password: string;
}

const homeAt = (directory: string): PostgresHome => ({
  directory,
  data: join(directory, 'data'),
  password: join(directory, 'password'),
});

/** Stored in the data directory, so that emptying that directory also abandons a cluster elsewhere. */
const idFileIn = (dataDir: string): string => join(dataDir, 'postgres.id');

/**
 * The home of a data directory's cluster, if it was created.
 *
 * @throws Error when it was created elsewhere and is missing, in place of a new start without the data
 */
export function findPostgresHome(dataDir: string): PostgresHome | undefined {
  if (!existsSync(idFileIn(dataDir))) {
    const directory = join(dataDir, 'postgres');
    return existsSync(directory) ? homeAt(directory) : undefined;
  }
  const id = readFileSync(idFileIn(dataDir), 'utf8').trim();
  const directory = join(systemDirectory(), id);
  if (!/^[0-9a-f-]{36}$/.test(id) || !existsSync(directory)) {
    throw new Error(
      `The database of ${dataDir} was kept in ${directory}, which is gone. Empty ${dataDir} to start over.`,
    );
  }
  return homeAt(directory);
}

/**
 * The home of a data directory's cluster, created if it does not exist, and the user that runs it, which is undefined
 * unless we are root. It is in the data directory, or in the system directory if that user cannot reach it.
 */
export async function openPostgresHome(dataDir: string): Promise<[PostgresHome, ServerUser | undefined]> {
  const found = findPostgresHome(dataDir);
  const user = weAreRoot() ? ((found && ownerOf(found)) ?? (await systemUser())) : undefined;
  const home = found ?? makeHome(dataDir, user);
  if (user) {
    chownSync(home.directory, user.uid, user.gid);
    if (!mayReach(user, home.directory)) {
      throw new Error(
        `PostgreSQL's user (id ${user.uid}) cannot reach ${home.directory}: a directory above it is closed.`,
      );
    }
  }
  return [home, user];
}

/** An ordinary user's cluster keeps its owner when root starts it. */
function ownerOf(home: PostgresHome): ServerUser | undefined {
  const { uid, gid } = statSync(home.directory);
  return uid === 0 ? undefined : { uid, gid };
}

function makeHome(dataDir: string, user: ServerUser | undefined): PostgresHome {
  const elsewhere = user && !mayReach(user, dataDir) ? randomUUID() : undefined;
  const home = homeAt(elsewhere ? join(systemDirectory(), elsewhere) : join(dataDir, 'postgres'));
  mkdirSync(home.directory, { mode: 0o700 });
  if (elsewhere) writeFileSync(idFileIn(dataDir), `${elsewhere}\n`);
  return home;
}
