import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Module, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';
import { QuickExpressAdapter } from './quick-express.adapter.js';

@Controller()
class EchoController {
  @Get('echo')
  echo(@Req() request: Request): object {
    return { path: request.path, query: request.query };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

describe('QuickExpressAdapter', () => {
  it('serves requests that have the prototypes of Express from the start', async () => {
    const app = await NestFactory.create<NestExpressApplication>(EchoModule, new QuickExpressAdapter(), {
      logger: false,
    });
    const server: Server = await app.listen(0, '127.0.0.1');
    const prototypes: unknown[] = [];
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    });
    if (!server.listening) await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/echo?a=b`);
    expect(await answer.json()).toEqual({ path: '/echo', query: { a: 'b' } });
    const { request, response } = app.getHttpAdapter().getInstance();
    expect(prototypes[0]).toBe(request);
    expect(prototypes[1]).toBe(response);
    await app.close();
  });
});
