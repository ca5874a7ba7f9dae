import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { OperatorKeyService } from '../accounts/operator-key.service.js';
import { AppModule } from '../app.module.js';
import type { Settings } from '../config/settings.js';
import { migrateDatabase, requireMigratedDatabase } from '../database/migrate-database.js';
import { ReadinessService } from '../health/readiness.service.js';
import { configureHttp } from '../http/configure-http.js';
import { QuickExpressAdapter } from '../http/quick-express.adapter.js';
import { PinoLoggerService } from '../logging/pino-logger.service.js';
import { requestTracing } from '../tracing/request-tracing.js';
import type { Infrastructure } from './infrastructure.js';
import type { Lifecycle } from './lifecycle.js';
import { StartError } from './start.error.js';

/** Requests that are still being sent after this time are cut off when the process stops. Milliseconds. */
const CLOSING_PATIENCE = 10_000;

/** What a started host has to say. */
export interface Served {
  /** `http://host:port` */
  address: string;
  /** The key that we made, to be shown. Undefined when the operator set one, and for a worker. */
  apiKey: string | undefined;
}

const LISTEN_PROBLEMS: Readonly<Record<string, (settings: Settings) => string>> = {
  EADDRINUSE: ({ port }) => `PORT: ${port} is in use by another process. Stop that one, or set another port.`,
  EACCES: ({ port }) => `PORT: this user may not use port ${port}. Set one from 1024 up.`,
  EADDRNOTAVAIL: ({ host }) => `HOST: this machine does not have the address ${host}.`,
  ENOTFOUND: ({ host }) => `HOST: the name ${host} is unknown.`,
};

/**
 * From a database to a process that answers.
 *
 * @throws StartError when the operator can do something about what went wrong
 */
export async function serve(
  settings: Settings,
  infrastructure: Infrastructure,
  lifecycle: Lifecycle,
  logger: Logger,
): Promise<Served> {
  const { databaseUrl } = infrastructure;
  await (settings.databaseUrl === undefined ? migrateDatabase(databaseUrl) : requireMigratedDatabase(databaseUrl));

  const app = await lifecycle.start(
    () => compose(settings, infrastructure, logger),
    (composed) => close(composed, infrastructure, settings),
  );
  const apiKey = settings.role === 'worker' ? undefined : await operatorKey(app, settings);
  await listen(app, settings);
  return { address: addressOf(app, settings), apiKey };
}

async function compose(
  settings: Settings,
  infrastructure: Infrastructure,
  logger: Logger,
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    await AppModule.register(settings, infrastructure, logger),
    new QuickExpressAdapter(),
    {
      // The library reads bodies itself, after its guards. See `JsonBodyInterceptor`.
      bodyParser: false,
      logger: new PinoLoggerService(logger),
      abortOnError: false,
    },
  );
  configureHttp(app, logger);
  if (settings.otlpEndpoint !== undefined) app.use(requestTracing);
  return app.init();
}

async function operatorKey(
  app: NestExpressApplication,
  { bootstrapApiKey, dataDir }: Settings,
): Promise<string | undefined> {
  const keys = app.get(OperatorKeyService, { strict: false });
  if (bootstrapApiKey === undefined) {
    return keys.keep(dataDir);
  }
  await keys.accept(bootstrapApiKey);
  return undefined;
}

async function listen(app: NestExpressApplication, settings: Settings): Promise<void> {
  const server: Server = app.getHttpServer();
  try {
    await once(server.listen(settings.port, settings.host), 'listening');
  } catch (error) {
    const problem = LISTEN_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
    throw problem === undefined ? error : new StartError(problem(settings), { cause: error });
  }
}

/**
 * Says first that it is not ready, so that no balancer sends anybody here any more. Then no job is taken, what is under
 * way is finished, and only then is HTTP closed; a caller that does not get on with it is not waited for.
 */
async function close(
  app: NestExpressApplication,
  { redisClients }: Infrastructure,
  { drainDelay }: Settings,
): Promise<void> {
  app.get(ReadinessService, { strict: false }).stop();
  if (drainDelay > 0) await delay(drainDelay);
  const timer = setTimeout(() => app.getHttpServer().closeAllConnections(), CLOSING_PATIENCE);
  try {
    await redisClients.giveUp();
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}

function addressOf(app: NestExpressApplication, { host }: Settings): string {
  const { port } = app.getHttpServer().address() as { port: number };
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
