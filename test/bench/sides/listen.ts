import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { reply } from '../support/child.js';

/** Starts an application as in Nest's documentation, and reports its port. */
export async function listen(module: Type): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(module, { logger: ['error', 'warn'] });
  // At half of its load some of the generator's connections are idle for longer than Node's 5 seconds.
  app.getHttpServer().keepAliveTimeout = 65_000;
  await app.listen(0, '127.0.0.1');
  process.once('SIGTERM', () => void app.close().finally(() => process.exit(0)));
  reply({ port: (app.getHttpServer().address() as AddressInfo).port });
}
