import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { emailsEntities, emailsMigrations } from 'nestjs-emails';
import { accessEntities, accessMigrations } from 'nestjs-emails/access';
import { audienceEntities, audienceMigrations } from 'nestjs-emails/audience';
import { templatesEntities, templatesMigrations } from 'nestjs-emails/templates';
import type { DataSourceOptions } from 'typeorm';
import { settings } from './settings.js';

/** Its name: the unnamed data source stays free for what is the backend's own. */
export const MAIL = 'mail';

export const database: DataSourceOptions = {
  type: 'postgres',
  url: settings.databaseUrl,
  entities: [...emailsEntities, ...accessEntities, ...audienceEntities, ...templatesEntities],
  migrations: [...emailsMigrations, ...accessMigrations, ...audienceMigrations, ...templatesMigrations],
  installExtensions: false,
};

export const databaseModule = TypeOrmModule.forRoot({ ...database, name: MAIL });

if (!settings.redisUrl) setDefaultBackendFactory(createPostgresBackend);

export const queueModule = BullModule.forRoot({
  connection: settings.redisUrl ? { url: settings.redisUrl } : { connectionString: settings.databaseUrl },
});
