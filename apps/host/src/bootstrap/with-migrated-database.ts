import type { Settings } from '../config/settings.js';
import { migrateDatabase, requireMigratedDatabase } from '../database/migrate-database.js';
import { joinOrStartEmbeddedPostgres } from '../embedded/embedded-postgres.js';

/**
 * For commands next to the host: runs `work` on the operator's database, else on the embedded one, which a host may
 * have open.
 *
 * @throws StartError when the operator's database is unreachable or not up to date
 */
export async function withMigratedDatabase<T>(
  { databaseUrl, dataDir }: Settings,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== undefined) {
    await requireMigratedDatabase(databaseUrl);
    return work(databaseUrl);
  }
  const embedded = await joinOrStartEmbeddedPostgres({ dataDir });
  try {
    await migrateDatabase(embedded.url);
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
