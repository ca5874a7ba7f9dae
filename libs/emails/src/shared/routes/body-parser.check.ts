import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ExpressApp } from './express-routes.js';
import { globalParsersOf, keepsBodyParsers, spareOwnRoutes } from './keep-body-parsers.js';

/**
 * Refuses to start when a parser in front of all routes would read bodies before the guards run: an unknown caller
 * could then make the server parse any body. If the host wants to keep such parsers, they skip the library's routes.
 */
@Injectable()
export class BodyParserCheck implements OnApplicationBootstrap {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onApplicationBootstrap(): void {
    const app: ExpressApp | undefined = this.adapterHost.httpAdapter?.getInstance();
    const parsers = app ? globalParsersOf(app) : [];
    if (!app || parsers.length === 0) return;
    if (!keepsBodyParsers(app)) {
      throw new Error(
        'A global body parser would read bodies before their callers are known. Create the application with ' +
          '`NestFactory.create(AppModule, { bodyParser: false })`, or let it keep its parsers for its own routes: ' +
          '`keepBodyParsers(app)`, imported from `nestjs-emails`, before it listens.',
      );
    }
    for (const parser of parsers) spareOwnRoutes(app, parser);
  }
}
