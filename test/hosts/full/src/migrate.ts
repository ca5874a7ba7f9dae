import 'reflect-metadata';
import { runMigrations as migrateQueue } from 'bullmq';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { database } from './infrastructure.js';
import { settings } from './settings.js';

const dataSource = await new DataSource(database).initialize();
await dataSource.runMigrations();
await dataSource.destroy();

if (!settings.redisUrl) {
  const client = new pg.Client(settings.databaseUrl);
  await client.connect();
  await migrateQueue(client);
  await client.end();
}
