import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { emailsEntities, emailsMigrations } from 'nestjs-emails';
import { accessEntities, accessMigrations } from 'nestjs-emails/access';
import { audienceEntities, audienceMigrations } from 'nestjs-emails/audience';
import { templatesEntities, templatesMigrations } from 'nestjs-emails/templates';
import type { DataSourceOptions } from 'typeorm';
import { connection } from './queue.js';
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

export const queueModule = BullModule.forRoot({ connection });
