/**
 * A third-party host: the library, its own guard and one account, for options without a variable in `apps/host`.
 * `SETTINGS` is JSON:
 * `{port, databaseUrl, redisUrl, smtpUrl, smtpUrls, token, options, feedback, policies, subscriptions, dataSource, bull, registers}`;
 * `options` are those of `EmailsModule`, `feedback` those of that feature, if it has it, `dataSource` those of TypeORM, `bull` those of `BullModule` (with `registers`
 * it registers its processors by hand), `policies` the source of its recipient policies, and `subscriptions` event
 * subscriptions with the source of how they handle. Runs the functions that its parent sends.
 */
import 'reflect-metadata';
import { register } from 'node:module';
import { BullModule, BullRegistrar } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import {
  ApiError,
  EmailsModule,
  EmailsService,
  EventSubscriptions,
  emailsDatabase,
  SmtpTransport,
  subscribe,
  unsubscribe,
} from 'nestjs-emails';
import { feedback } from 'nestjs-emails/feedback';
import { DataSource } from 'typeorm';

const {
  port,
  databaseUrl,
  redisUrl,
  smtpUrl,
  smtpUrls,
  token,
  options,
  feedback: feedbackOptions,
  policies,
  ports = {},
  subscriptions = [],
  dataSource,
  bull,
  registers,
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

/** Options with one implementation, not a list. */
const SINGLE = ['topicPolicy', 'templateSource'];

/** Implementations of a port, whose functions are given as sources. */
const filled = Object.entries(ports).map(([option, list]) => {
  const made = list.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, typeof value === 'string' ? functionOf(value) : value]),
    ),
  );
  return [option, SINGLE.includes(option) ? made[0] : made];
});

const features = feedbackOptions ? [feedback(feedbackOptions)] : [];

class SmallHost {}
Module({
  imports: [
    TypeOrmModule.forRoot({
      ...emailsDatabase({ features }),
      type: 'postgres',
      url: databaseUrl,
      ...dataSource,
    }),
    BullModule.forRoot({ connection: redisUrl ? { url: redisUrl } : { connectionString: databaseUrl }, ...bull }),
    EmailsModule.forRoot({
      features,
      guards: [TokenGuard],
      accountResolver: {
        resolve: ({ headers }) => ({ accountId: 'one', permission: 'full_access', apiKeyId: headers['x-key-id'] }),
      },
      ...(smtpUrls
        ? { transports: smtpUrls.map((url) => ({ transport: new SmtpTransport({ url }) })) }
        : { transport: new SmtpTransport({ url: smtpUrl }) }),
      eventListeners: [{ onEvents: (happened) => void events.push(...happened) }],
      ...(policies.length > 0 && {
        recipientPolicies: policies.map(({ decide, ...rest }) => ({ ...rest, decide: functionOf(decide) })),
      }),
      ...Object.fromEntries(filled),
      eventSubscriptions: subscriptions.map(({ handle, ...rest }) => ({ ...rest, handle: functionOf(handle) })),
      ...options,
    }),
  ],
})(SmallHost);

if (!redisUrl) setDefaultBackendFactory(createPostgresBackend);
const app = await NestFactory.create(SmallHost, { bodyParser: false, logger: ['error', 'warn'] });
app.enableShutdownHooks();
if (registers) app.get(BullRegistrar).register();

const tools = {
  emails: app.get(EmailsService),
  dataSource: app.get(DataSource),
  /** Another database library of a host, loaded for tests that need it. */
  connect: async (name) => {
    register('../support/typescript-hooks.mjs', import.meta.url);
    const { clients } = await import('./transactions/clients.ts');
    return clients[name](databaseUrl, tools.dataSource);
  },
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
