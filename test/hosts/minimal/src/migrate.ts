import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { database } from './infrastructure.js';
import { migrateQueue } from './queue.js';

async function migrate(): Promise<void> {
  const dataSource = await new DataSource(database).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  await migrateQueue();
}

void migrate();
