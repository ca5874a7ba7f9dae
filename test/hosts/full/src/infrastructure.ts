import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { emailsDatabase } from 'nestjs-emails';
import type { DataSourceOptions } from 'typeorm';
import { features } from './features.js';
import { connection } from './queue.js';
import { settings } from './settings.js';

/** Its name: the unnamed data source stays free for the backend's own tables. */
export const MAIL = 'mail';

export const database: DataSourceOptions = {
  ...emailsDatabase({ features: features() }),
  type: 'postgres',
  url: settings.databaseUrl,
};

export const databaseModule = TypeOrmModule.forRoot({ ...database, name: MAIL });

export const queueModule = BullModule.forRoot({ connection });
