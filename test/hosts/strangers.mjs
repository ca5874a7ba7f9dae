/**
 * Hosts built without regard to the library: with everything that Nest can put around every route, and on another
 * server. `DATABASE_URL` is an empty database, `SMTP_URL` where mail goes. Prints one line of JSON when it is ready.
 */
import 'reflect-metadata';
import { createHmac } from 'node:crypto';
import { BullModule } from '@nestjs/bullmq';
import {
  Catch,
  ClassSerializerInterceptor,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpException,
  Inject,
  Injectable,
  Module,
  Param,
  Post,
  Req,
  RequestTimeoutException,
  UseGuards,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createPostgresBackend, runMigrations, setDefaultBackendFactory } from 'bullmq';
import {
  CurrentCaller,
  callerOf,
  EmailsFeatureModule,
  EmailsModule,
  EmailsService,
  emailsDatabase,
  keepBodyParsers,
  PathId,
  PathText,
  RequestContext,
  SmtpTransport,
} from 'nestjs-emails';
import { AccountsService, access } from 'nestjs-emails/access';
import { audience } from 'nestjs-emails/audience';
import { templates } from 'nestjs-emails/templates';
import { webhooks } from 'nestjs-emails/webhooks';
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

/** A host's own service, which sends. */
class Greeter {
  constructor(emails) {
    this.emails = emails;
  }
}
decorate(Greeter, Injectable());
Inject(EmailsService)(Greeter, undefined, 0);

/** Admits callers that are known by then. */
class KnownGuard {
  canActivate(context) {
    return callerOf(context.switchToHttp().getRequest()) !== undefined;
  }
}

class GreetingsController {
  find({ accountId }, name, { request }) {
    return { accountId, name, url: request.url };
  }
  async remove() {}
}
decorate(GreetingsController, Controller('greetings'), UseGuards(KnownGuard));
route(GreetingsController, 'find', Get(':name'));
for (const [at, of] of [CurrentCaller(), PathText('name'), RequestContext()].entries()) {
  of(GreetingsController.prototype, 'find', at);
}
route(GreetingsController, 'remove', Delete(':id'), HttpCode(204));
PathId()(GreetingsController.prototype, 'remove', 0);

class ForeignController {
  find(id) {
    return id;
  }
}
decorate(ForeignController, Controller('foreign'));
route(ForeignController, 'find', Get(':id'));
Param('id')(ForeignController.prototype, 'find', 0);

const features = [
  { name: 'greetings', providers: [Greeter, KnownGuard], controllers: [GreetingsController] },
  access(),
  audience(),
  templates(),
  webhooks({ secretKeys: ['the key of a stranger, for tests only'], allowPrivate: ['127.0.0.0/8'] }),
];
const services = [
  TypeOrmModule.forRoot({ ...emailsDatabase({ features }), type: 'postgres', url, migrationsRun: true }),
  BullModule.forRoot({ connection: { connectionString: url } }),
];
const transport = () => new SmtpTransport({ url: smtpUrl, hop: 'final' });

/** Error of the start of an application. */
async function refusalOf(host, ...args) {
  let refused;
  try {
    refused = await NestFactory.create(host, ...args, { logger: ['error'], abortOnError: false });
    return await refused.init().then(() => 'It started.', String);
  } catch (error) {
    return String(error);
  } finally {
    await refused?.close();
  }
}

/** The same, of one that imports this. */
async function refusalOfImports(...imports) {
  class Host {}
  decorate(Host, Module({ imports: imports.map((make) => make()) }));
  return refusalOf(Host);
}

// Hosts that lack a line, or have it twice. The first while there are no tables yet.

const queue = () => services[1];
const emailsWith = (options) => () => EmailsModule.forRoot({ routes: false, transport: transport(), ...options });
const databaseWith = (options) => () =>
  TypeOrmModule.forRoot({ ...emailsDatabase(), type: 'postgres', url, retryAttempts: 0, ...options });
const withAudience = emailsWith({ features: [audience()] });
const { entities } = emailsDatabase({ features });

const lines = {
  migrations: await refusalOfImports(databaseWith({ entities, migrationsRun: true }), queue, withAudience),
  entities: await refusalOfImports(databaseWith(), queue, withAudience),
  database: await refusalOfImports(queue, withAudience),
  queue: await refusalOfImports(databaseWith(), emailsWith()),
  twice: await refusalOfImports(databaseWith(), queue, emailsWith(), emailsWith()),
  featuresTwice: await refusalOfImports(
    databaseWith({ ...emailsDatabase({ features }), migrationsRun: true }),
    ...[1, 2].map(() => () => EmailsFeatureModule.forRoot({ features: [audience()], routes: false })),
  ),
  featureTwice: refusalOfLine(() => EmailsModule.forRoot({ features: [access(), access()], transport: transport() })),
  foreign: refusalOfLine(() =>
    EmailsModule.forRoot({
      features: [access(), { name: 'foreign', controllers: [ForeignController] }],
      transport: transport(),
    }),
  ),
  withoutEmails: refusalOfLine(() => EmailsFeatureModule.forRoot({ features: [webhooks()], routes: false })),
  resolvers: refusalOfLine(() =>
    EmailsModule.forRoot({ features, transport: transport(), accountResolver: { resolve: () => ({}) } }),
  ),
};

/** Error of a line before anything starts. */
function refusalOfLine(line) {
  try {
    return `It composed ${line()}.`;
  } catch (error) {
    return String(error);
  }
}

// A host that only sends.

class ServiceHost {}
decorate(
  ServiceHost,
  Module({ imports: [...services, EmailsModule.forRoot({ routes: false, transport: transport() })] }),
);

const fastify = await NestFactory.create(ServiceHost, new FastifyAdapter(), { logger: ['error', 'warn'] });
await fastify.init();

// A host with all routes, and many wrappers around them.

/** Lets requests without a plan pass; fails for another. */
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

/** As in Nest's documentation. */
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

/** A hook that is signed over its raw body. */
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
    imports: [...services, EmailsModule.forRoot({ features, transport: transport() })],
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

// Hosts that lack a line of the README.

const refusals = {
  ...lines,
  fastify: await refusalOf(RoutesHost, new FastifyAdapter()),
  parsers: await refusalOf(RoutesHost),
};

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
    sendsByFeature: app.get(Greeter, { strict: false }).emails === app.get(EmailsService, { strict: false }),
  }),
);
