import type { DataSource, EntityManager } from 'typeorm';

/**
 * Reads on the server that is written to. TypeORM's own reads go to a replica where there is one, which may not know yet
 * what a caller was told.
 */
export async function onMaster<T>(dataSource: DataSource, read: (manager: EntityManager) => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner('master');
  try {
    return await read(runner.manager);
  } finally {
    await runner.release();
  }
}
