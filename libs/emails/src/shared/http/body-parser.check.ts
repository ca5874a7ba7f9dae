import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

interface RouterLayer {
  handle?: { name?: string };
  /** True when the layer is not bound to a path. */
  slash?: boolean;
}

/**
 * Refuses to start when a parser in front of all routes would read bodies before the guards run: an unknown caller
 * could then make the server parse what it likes.
 */
@Injectable()
export class BodyParserCheck implements OnApplicationBootstrap {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onApplicationBootstrap(): void {
    const instance: { router?: { stack?: RouterLayer[] } } | undefined = this.adapterHost.httpAdapter?.getInstance();
    const parser = instance?.router?.stack?.some(
      ({ handle, slash }) => handle?.name === 'jsonParser' && slash !== false,
    );
    if (!parser) return;
    throw new Error(
      'A global body parser would read bodies before their callers are known. ' +
        'Create the application with `NestFactory.create(AppModule, { bodyParser: false })`.',
    );
  }
}
