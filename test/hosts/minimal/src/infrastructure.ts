import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { emailsDatabase } from 'nestjs-emails';
import type { DataSourceOptions } from 'typeorm';
import { CreateSubscribers1763900000000 } from './migrations/1763900000000-create-subscribers.js';
import { connection } from './queue.js';
import { settings } from './settings.js';
import { SubscriberEntity } from './subscribers/subscriber.entity.js';

/** The host's tables and the library's, side by side. */
export const database: DataSourceOptions = {
  ...emailsDatabase({ entities: [SubscriberEntity], migrations: [CreateSubscribers1763900000000] }),
  type: 'postgres',
  url: settings.databaseUrl,
};

/** The queue of the library; the host may have others. */
export const EMAILS_CONNECTION = 'emails';

export const infrastructure = [
  TypeOrmModule.forRoot(database),
  BullModule.forRoot(EMAILS_CONNECTION, { connection, prefix: '{newsletter}' }),
];
