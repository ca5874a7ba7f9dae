/**
 * Hosts whose makers never thought of the library: with all that Nest lets them put around every route, and on another
 * server. `DATABASE_URL` is an empty database, `SMTP_URL` where mail goes. Prints one line of JSON when it is ready.
 */
import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { BullModule } from '@nestjs/bullmq';
import {
  Catch,
  ClassSerializerInterceptor,
  Controller,
  Get,
  HttpException,
  Module,
  Param,
  Post,
  Req,
  RequestTimeoutException,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import {
  EmailsModule,
  EmailsService,
  emailsEntities,
  emailsMigrations,
  keepBodyParsers,
  SmtpTransport,
} from 'nestjs-emails';
import {
  AccessModule,
  AccountsService,
  ApiKeyGuard,
  ApiKeyResolver,
  accessEntities,
  accessMigrations,
} from 'nestjs-emails/access';
import { AudienceModule, audienceEntities, audienceMigrations } from 'nestjs-emails/audience';
import { TemplatesModule, templatesEntities, templatesMigrations } from 'nestjs-emails/templates';
import {
  WebhookEraser,
  WebhookSubscription,
  WebhooksModule,
  webhooksEntities,
  webhooksMigrations,
} from 'nestjs-emails/webhooks';
import pg from 'pg';
import { catchError, map, throwError, timeout } from 'rxjs';

const { DATABASE_URL: url, SMTP_URL: smtpUrl } = process.env;

setDefaultBackendFactory(createPostgresBackend);
const client = new pg.Client(url);
await client.connect();
await runMigrations(client);
await client.end();

const decorate = (target, ...decorators) =>
  decorators.reduceRight((made, decorator) => decorator(made) ?? made, target);

/** On the method of a class. */
const route = (type, name, ...decorators) => {
  const method = Object.getOwnPropertyDescriptor(type.prototype, name);
  for (const decorator of decorators) decorator(type.prototype, name, method);
};

const services = [
  TypeOrmModule.forRoot({
    type: 'postgres',
    url,
    entities: [...emailsEntities, ...accessEntities, ...audienceEntities, ...templatesEntities, ...webhooksEntities],
    migrations: [
      ...emailsMigrations,
      ...accessMigrations,
      ...audienceMigrations,
      ...templatesMigrations,
      ...webhooksMigrations,
    ],
    migrationsRun: true,
    installExtensions: false,
  }),
  BullModule.forRoot({ connection: { connectionString: url } }),
];
const transport = () => new SmtpTransport({ url: smtpUrl, hop: 'final' });

// Who wants to send, and no more.

class ServiceHost {}
decorate(
  ServiceHost,
  Module({ imports: [...services, EmailsModule.forRoot({ routes: false, transport: transport() })] }),
);

const fastify = await NestFactory.create(ServiceHost, new FastifyAdapter(), { logger: ['error', 'warn'] });
await fastify.init();

// Who has all the routes, and much around them.

const behindKeys = {
  guards: [ApiKeyGuard],
  inject: [ApiKeyResolver],
  useFactory: (accountResolver) => ({ accountResolver }),
};

/** Takes whoever asks for it to have no plan; fails for another. */
class PlanGuard {
  canActivate(context) {
    const plan = context.switchToHttp().getRequest().headers['x-plan'];
    if (plan === 'none') throw new HttpException({ statusCode: 402, name: 'no_plan', message: 'Choose a plan.' }, 402);
    if (plan === 'broken') throw new Error('The plans cannot be read.', { cause: new TypeError('No disk.') });
    return true;
  }
}

class Wrap {
  intercept(_context, next) {
    return next.handle().pipe(map((data) => ({ data })));
  }
}

/** As Nest's documentation has them. */
class Impatient {
  intercept(_context, next) {
    return next.handle().pipe(
      timeout(1),
      catchError(() => throwError(() => new RequestTimeoutException())),
    );
  }
}

class Teapot {
  catch(_error, host) {
    host.switchToHttp().getResponse().status(418).json('own');
  }
}
decorate(Teapot, Catch());

/** Somebody's hook, which is signed over its raw body. */
class HookController {
  take(request) {
    return createHmac('sha256', 'whsec').update(request.rawBody).digest('hex') === request.headers['x-signature'];
  }
  find(id) {
    return id;
  }
}
decorate(HookController, Controller('hooks'));
route(HookController, 'take', Post());
Req()(HookController.prototype, 'take', 0);
route(HookController, 'find', Get(':id'));
Param('id')(HookController.prototype, 'find', 0);

class RoutesHost {}
decorate(
  RoutesHost,
  Module({
    imports: [
      ...services,
      AccessModule.forRoot({ isGlobal: true }),
      AudienceModule.forRootAsync(behindKeys),
      TemplatesModule.forRootAsync(behindKeys),
      WebhooksModule.forRootAsync({
        ...behindKeys,
        isGlobal: true,
        useFactory: (accountResolver) => ({
          accountResolver,
          secretKeys: ['the key of a stranger, for tests only'],
          allowPrivate: ['127.0.0.0/8'],
        }),
      }),
      EmailsModule.forRootAsync({
        ...behindKeys,
        inject: [ApiKeyResolver, WebhookSubscription, WebhookEraser],
        useFactory: (accountResolver, webhooks, eraser) => ({
          accountResolver,
          transport: transport(),
          eventSubscriptions: [webhooks],
          personErasers: [eraser],
        }),
      }),
    ],
    controllers: [HookController],
    providers: [
      { provide: APP_GUARD, useClass: PlanGuard },
      { provide: APP_FILTER, useClass: Teapot },
      { provide: APP_INTERCEPTOR, useClass: Wrap },
      { provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor },
    ],
  }),
);

const app = await NestFactory.create(RoutesHost, { rawBody: true, logger: ['error', 'warn'] });
keepBodyParsers(app);
app.setGlobalPrefix('api');
app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version', defaultVersion: '1' });
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
app.useGlobalInterceptors(new Impatient());
await app.listen(0, '127.0.0.1');

const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());

// Who did not read as far as that.

/** What the start of an application says. */
async function refusalOf(...args) {
  const refused = await NestFactory.create(RoutesHost, ...args, { logger: ['error'], abortOnError: false });
  try {
    return await refused.init().then(() => 'It started.', String);
  } finally {
    await refused.close();
  }
}

const refusals = { fastify: await refusalOf(new FastifyAdapter()), parsers: await refusalOf() };

const { accountId, token } = await app.get(AccountsService, { strict: false }).create('strangers');
const sent = await fastify.get(EmailsService).send(accountId, {
  from: 'from@from.test',
  to: 'to@to.test',
  subject: 'By Fastify',
  text: 'No routes.',
});

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method} ${path}`),
);
const operationIds = Object.values(paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
);
console.log(
  JSON.stringify({
    port: app.getHttpServer().address().port,
    token,
    operations,
    operationIds,
    refusals,
    sent: sent.id,
  }),
);
