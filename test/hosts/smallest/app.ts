import 'reflect-metadata';
import { BullModule } from '@nestjs/bullmq';
import { type CanActivate, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import { EmailsModule, emailsDatabase, SmtpTransport } from 'nestjs-emails';
import pg from 'pg';

const url = 'postgres://app:app@localhost:5433/app';

// The queue is in PostgreSQL. For Redis leave this out, run `npm i ioredis`, and give BullModule
// `{ connection: { url: 'redis://…' } }`.
setDefaultBackendFactory(createPostgresBackend);
const client = new pg.Client(url);
await client.connect();
await runMigrations(client);
await client.end();

/** Yours looks at the `Authorization` header. */
class Anybody implements CanActivate {
  canActivate = () => true;
}

@Module({
  imports: [
    TypeOrmModule.forRoot({ ...emailsDatabase(), type: 'postgres', url, migrationsRun: true }),
    BullModule.forRoot({ connection: { connectionString: url } }),
    EmailsModule.forRoot({
      guards: [Anybody],
      accountResolver: { resolve: () => ({ accountId: 'me', permission: 'full_access' }) },
      transport: new SmtpTransport({ url: 'smtp://localhost:2525' }),
    }),
  ],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { bodyParser: false });
app.enableShutdownHooks();
await app.listen(3000);
