import type { Server } from 'node:http';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { pino } from 'pino';
import { configureHttp } from './configure-http.js';

@Module({})
class EmptyModule {}

describe('configureHttp', () => {
  it('limits connections by the contract', async () => {
    const app = await NestFactory.create<NestExpressApplication>(EmptyModule, { logger: false, bodyParser: false });
    configureHttp(app, pino({ level: 'silent' }));
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections } = app.getHttpServer() as Server;
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout, maxConnections }).toEqual({
      headersTimeout: 15_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 65_000,
      timeout: 120_000,
      maxConnections: 10_000,
    });
    await app.close();
  });
});
