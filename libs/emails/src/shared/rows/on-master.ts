import type { DataSource, EntityManager } from 'typeorm';

/**
 * Reads on the primary server. TypeORM's own reads go to a replica, if there is one, which may lack rows that a
 * caller has already seen.
 */
export async function onMaster<T>(dataSource: DataSource, read: (manager: EntityManager) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner('master');
  try {
    return await read(runner.manager);
  } finally {
    await runner.release();
  }
}
