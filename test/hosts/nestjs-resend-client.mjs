/**
 * An application that sends through `nestjs-resend`. Its address is `RESEND_BASE_URL`, its key `RESEND_API_KEY`; `CALLS`
 * is JSON: `[{payload, options}]`, attachments with `base64` become Buffers, an array of emails is a batch. Prints the
 * answers as JSON.
 */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ResendModule, ResendService } from 'nestjs-resend';

class Mailer {
  constructor(resend) {
    this.resend = resend;
  }

  async send({ payload, options }) {
    if (Array.isArray(payload)) return this.resend.sendBatch(payload, options);
    const attachments = payload.attachments?.map(({ base64, ...attachment }) =>
      base64 === undefined ? attachment : { ...attachment, content: Buffer.from(base64, 'base64') },
    );
    return this.resend.send({ ...payload, ...(attachments && { attachments }) }, options);
  }
}
Reflect.defineMetadata('design:paramtypes', [ResendService], Mailer);
Injectable()(Mailer);

class Application {}
Module({
  imports: [ResendModule.forRootAsync({ useFactory: () => ({ apiKey: process.env.RESEND_API_KEY }) })],
  providers: [Mailer],
})(Application);

const app = await NestFactory.createApplicationContext(Application, { logger: ['error', 'warn'] });
const answers = [];
for (const call of JSON.parse(process.env.CALLS ?? '[]')) answers.push(await app.get(Mailer).send(call));
await app.close();
process.stdout.write(JSON.stringify(answers));
