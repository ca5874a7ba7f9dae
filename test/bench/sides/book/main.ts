/**
 * The composition of the official documentation, written fairly: `repository.save`, `queue.add`, and a processor that
 * loads, sends through nodemailer's pool and saves.
 */
import 'reflect-metadata';
import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { listen } from '../listen.js';
import { BookEmail } from './email.entity.js';
import { BookController } from './emails.controller.js';
import { BookProcessor } from './emails.processor.js';

const { DATABASE_URL = '', REDIS_URL = '', ROLE = 'all' } = process.env;
if (REDIS_URL === '') setDefaultBackendFactory(createPostgresBackend);

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: DATABASE_URL,
      entities: [BookEmail],
      synchronize: true,
      uuidExtension: 'pgcrypto',
      installExtensions: false,
      extra: { max: 20 },
    }),
    TypeOrmModule.forFeature([BookEmail]),
    BullModule.forRoot({
      connection: REDIS_URL === '' ? ({ connectionString: DATABASE_URL, max: 10 } as never) : { url: REDIS_URL },
    }),
    BullModule.registerQueue({ name: 'book' }),
  ],
  controllers: ROLE === 'worker' ? [] : [BookController],
  providers: ROLE === 'api' ? [] : [BookProcessor],
})
class BookModule {}

await listen(BookModule);
