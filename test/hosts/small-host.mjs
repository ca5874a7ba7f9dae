/**
 * A host that is not ours: the library, a guard of its own and one account, for options that `apps/host` has no
 * variable for. `SETTINGS` is JSON: `{port, databaseUrl, smtpUrl, token, options}`; `options` are those of `EmailsModule`.
 * Prints `ready` once it answers.
 */
import 'reflect-metadata';
import { BullModule } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { ApiError, EmailsModule, emailsEntities, SmtpTransport } from 'nestjs-emails';

const { port, databaseUrl, smtpUrl, token, options } = JSON.parse(process.env.SETTINGS ?? '{}');

class TokenGuard {
  canActivate(context) {
    const { authorization } = context.switchToHttp().getRequest().headers;
    if (authorization !== `Bearer ${token}`) throw ApiError.invalidApiKey();
    return true;
  }
}
Injectable()(TokenGuard);

class SmallHost {}
Module({
  imports: [
    TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, entities: emailsEntities, installExtensions: false }),
    BullModule.forRoot({ connection: { connectionString: databaseUrl } }),
    EmailsModule.forRoot({
      guards: [TokenGuard],
      accountResolver: { resolve: () => ({ accountId: 'one', permission: 'full_access' }) },
      transport: new SmtpTransport({ url: smtpUrl }),
      ...options,
    }),
  ],
})(SmallHost);

setDefaultBackendFactory(createPostgresBackend);
const app = await NestFactory.create(SmallHost, { bodyParser: false, logger: ['error', 'warn'] });
app.enableShutdownHooks();
await app.listen(port, '127.0.0.1');
process.stdout.write('ready\n');
