/**
 * A host that is not ours: the library, a guard of its own and one account, for options that `apps/host` has no
 * variable for. `SETTINGS` is JSON: `{port, databaseUrl, redisUrl, smtpUrl, token, options, policies, subscriptions, dataSource}`; `options` are
 * those of `EmailsModule`, `dataSource` those of TypeORM, `policies` the source of what its recipient policies decide by, and
 * `subscriptions` event subscriptions with the source of how they handle. Runs the functions that its parent
 * sends.
 */
import 'reflect-metadata';
import { BullModule } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import {
  ApiError,
  EmailsModule,
  EmailsService,
  EventSubscriptions,
  emailsEntities,
  emailsMigrations,
  SmtpTransport,
  subscribe,
  unsubscribe,
} from 'nestjs-emails';
import { DataSource } from 'typeorm';

const {
  port,
  databaseUrl,
  redisUrl,
  smtpUrl,
  token,
  options,
  policies,
  subscriptions = [],
  dataSource,
} = JSON.parse(process.env.SETTINGS ?? '{}');

class TokenGuard {
  canActivate(context) {
    const { authorization } = context.switchToHttp().getRequest().headers;
    if (authorization !== `Bearer ${token}`) throw ApiError.invalidApiKey();
    return true;
  }
}
Injectable()(TokenGuard);

const events = [];

/** The function with this source. The parent is the test, and the code is its own. */
// biome-ignore lint/security/noGlobalEval: see above
const functionOf = (code) => globalThis.eval(`(${code})`);

class SmallHost {}
Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: databaseUrl,
      entities: emailsEntities,
      migrations: emailsMigrations,
      installExtensions: false,
      ...dataSource,
    }),
    BullModule.forRoot({ connection: redisUrl ? { url: redisUrl } : { connectionString: databaseUrl } }),
    EmailsModule.forRoot({
      guards: [TokenGuard],
      accountResolver: { resolve: () => ({ accountId: 'one', permission: 'full_access' }) },
      transport: new SmtpTransport({ url: smtpUrl }),
      eventListeners: [{ onEvents: (happened) => void events.push(...happened) }],
      ...(policies.length > 0 && {
        recipientPolicies: policies.map(({ decide, ...rest }) => ({ ...rest, decide: functionOf(decide) })),
      }),
      eventSubscriptions: subscriptions.map(({ handle, ...rest }) => ({ ...rest, handle: functionOf(handle) })),
      ...options,
    }),
  ],
})(SmallHost);

if (!redisUrl) setDefaultBackendFactory(createPostgresBackend);
const app = await NestFactory.create(SmallHost, { bodyParser: false, logger: ['error', 'warn'] });
app.enableShutdownHooks();

const tools = {
  emails: app.get(EmailsService),
  dataSource: app.get(DataSource),
  events,
  subscriptions: app.get(EventSubscriptions),
  subscribe,
  unsubscribe,
};
process.on('message', async ({ id, code, args }) => {
  try {
    process.send({ id, value: await functionOf(code)(tools, ...args) });
  } catch (error) {
    process.send({ id, error: { ...error, name: error.name, message: error.message } });
  }
});
await app.listen(port, '127.0.0.1');
