import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AccountsService, ApiKeysService } from 'nestjs-emails/access';
import { FeedbackListener } from 'nestjs-emails/feedback';
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.js';
import { migrateDatabase, requireMigratedDatabase } from '../database/migrate-database.js';
import { configureHttp } from '../http/configure-http.js';
import { QuickExpressAdapter } from '../http/quick-express.adapter.js';
import { ReadinessService } from '../operations/health/readiness.service.js';
import { PinoLoggerService } from '../operations/logging/pino-logger.service.js';
import { requestTracing } from '../operations/tracing/request-tracing.js';
import { StartError } from '../shared/errors/start.error.js';
import { BootstrapKey } from './bootstrap-key.js';
import type { Infrastructure } from './infrastructure.js';
import type { Lifecycle } from './lifecycle.js';

/** Grace period for unfinished requests when the process stops. Milliseconds. */
const CLOSING_PATIENCE = 10_000;

/** Addresses and names that only this machine can use. */
const LOOPBACK = /^(127(\.\d+){3}|::1|localhost)$/i;

/** The application to serve. */
export interface Host {
  settings: Settings;
  infrastructure: Infrastructure;
  logger: Logger;
  /** Composes the application; called once the database is up to date. */
  module: () => Promise<DynamicModule>;
}

/** Facts of a started host. */
export interface Served {
  /** `http://host:port` */
  address: string;
  /** The generated key, to be shown. Undefined when the operator set one, and for a worker. */
  apiKey: string | undefined;
  /** Address of the page, with a one-time sign-in on this machine. Undefined without a page. */
  page: string | undefined;
}

/** Problems of a port or an address, by their code. */
const LISTEN_PROBLEMS: Readonly<Record<string, (address: ListenAddress) => string>> = {
  EADDRINUSE: ({ name, port }) => `${name}: ${port} is in use by another process. Stop that one, or set another port.`,
  EACCES: ({ name, port }) => `${name}: this user may not use port ${port}. Set one from 1024 up.`,
  EADDRNOTAVAIL: ({ host }) => `HOST: this machine does not have the address ${host}.`,
  ENOTFOUND: ({ host }) => `HOST: the name ${host} is unknown.`,
};

interface ListenAddress {
  /** The variable of the port. */
  name: string;
  port: number;
  host?: string;
}

/**
 * Starts the process: from the database to an answering server.
 *
 * @throws StartError for problems that the operator can fix
 */
export async function serve(host: Host, lifecycle: Lifecycle): Promise<Served> {
  const { settings, infrastructure, logger } = host;
  const { databaseUrl } = infrastructure;
  await (settings.databaseUrl === undefined ? migrateDatabase(databaseUrl) : requireMigratedDatabase(databaseUrl));

  const app = await lifecycle.start(
    () => compose(host),
    (composed) => close(composed, infrastructure, settings),
  );
  const apiKey = settings.role === 'worker' ? undefined : await bootstrapKey(app, settings);
  await listen(app, settings);
  infrastructure.inbox?.reportTo(() => app.get(FeedbackListener, { strict: false }).port);
  if (settings.role !== 'worker' && infrastructure.secretKeys.length === 0) {
    logger.info('SECRET_KEY is not set: links to attachments and shared emails, and webhooks, are disabled.');
  }
  const address = addressOf(app, settings);
  return { address, apiKey, page: await pageOf(app, settings, address, apiKey) };
}

/** Sign-in links work on this machine only. */
async function pageOf(
  app: NestExpressApplication,
  { role, host, dashboardPath, bootstrapApiKey }: Settings,
  address: string,
  apiKey: string | undefined,
): Promise<string | undefined> {
  if (role === 'worker' || dashboardPath === undefined) return undefined;
  const page = `${address}${dashboardPath}/`;
  const token = apiKey ?? bootstrapApiKey;
  if (token === undefined || !LOOPBACK.test(host)) return page;
  const { DashboardSignIn } = await import('nestjs-emails-dashboard');
  return `${page}#code=${app.get(DashboardSignIn, { strict: false }).codeFor(token)}`;
}

async function compose({ settings, logger, module }: Host): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(await module(), new QuickExpressAdapter(), {
    // The library reads bodies itself, after its guards. See `JsonBodyInterceptor`.
    bodyParser: false,
    logger: new PinoLoggerService(logger),
    abortOnError: false,
  });
  configureHttp(app, logger);
  if (settings.otlpEndpoint !== undefined) app.use(requestTracing);
  try {
    return await app.init();
  } catch (error) {
    // The listener for reports starts with the application.
    const { bounceSmtpPort: port } = settings;
    const isOurs = port !== undefined && (error as { port?: unknown } | null)?.port === port;
    throw isOurs ? listenError(error, { name: 'BOUNCE_SMTP_PORT', port }) : error;
  }
}

async function bootstrapKey(
  app: NestExpressApplication,
  { bootstrapApiKey, dataDir }: Settings,
): Promise<string | undefined> {
  const [accounts, apiKeys] = [app.get(AccountsService, { strict: false }), app.get(ApiKeysService, { strict: false })];
  const key = new BootstrapKey(accounts, apiKeys);
  if (bootstrapApiKey === undefined) {
    return key.fromFile(dataDir);
  }
  await key.accept(bootstrapApiKey);
  return undefined;
}

async function listen(app: NestExpressApplication, settings: Settings): Promise<void> {
  const server: Server = app.getHttpServer();
  try {
    await once(server.listen(settings.port, settings.host), 'listening');
  } catch (error) {
    const { port, host } = settings;
    throw listenError(error, { name: 'PORT', port, host });
  }
}

function listenError(error: unknown, address: ListenAddress): unknown {
  const problem = LISTEN_PROBLEMS[(error as NodeJS.ErrnoException).code ?? ''];
  return problem === undefined ? error : new StartError(problem(address), { cause: error });
}

/**
 * First reports not ready, so that balancers stop sending requests. Then workers accept no more jobs and finish the
 * current ones, and only then HTTP is closed, without a wait for slow clients.
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
