import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { emailsEntities, emailsMigrations } from 'nestjs-emails';
import type { DataSourceOptions } from 'typeorm';
import { CreateSubscribers1763900000000 } from './migrations/1763900000000-create-subscribers.js';
import { connection } from './queue.js';
import { settings } from './settings.js';
import { SubscriberEntity } from './subscribers/subscriber.entity.js';

/** The host's tables and the library's, side by side. */
export const database: DataSourceOptions = {
  type: 'postgres',
  url: settings.databaseUrl,
  entities: [SubscriberEntity, ...emailsEntities],
  migrations: [CreateSubscribers1763900000000, ...emailsMigrations],
  installExtensions: false,
};

/** The queue that the library is told to use; the host may have others. */
export const EMAILS_CONNECTION = 'emails';

export const infrastructure = [
  TypeOrmModule.forRoot(database),
  BullModule.forRoot(EMAILS_CONNECTION, { connection, prefix: '{newsletter}' }),
];
