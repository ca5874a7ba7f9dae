import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { json } from 'express';
import { BodyParserCheck } from './body-parser.check.js';

@Module({ providers: [BodyParserCheck] })
class SomeHost {}

/** Starts a host of the library up to the check. */
async function start(bodyParser: boolean, prepare: (app: NestExpressApplication) => void = () => {}): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(SomeHost, {
    bodyParser,
    logger: false,
    abortOnError: false,
  });
  prepare(app);
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

describe('BodyParserCheck', () => {
  it('refuses to start behind the global parser, and says how to fix it', async () => {
    await expect(start(true)).rejects.toThrow('NestFactory.create(AppModule, { bodyParser: false })');
    await expect(start(false, (app) => app.use(json()))).rejects.toThrow('bodyParser: false');
  });

  it('starts without one, and with one on paths of the host', async () => {
    await start(false);
    await start(false, (app) => app.use('/orders', json()));
  });
});
