import { type DynamicModule, Module } from '@nestjs/common';
import { InboxController } from './inbox.controller.js';
import { Inbox } from './inbox.js';

/** Shows an inbox over HTTP: `GET /inbox` and `GET /inbox/:id/raw`. The code that started the inbox closes it. */
@Module({})
export class InboxModule {
  static register(inbox: Inbox): DynamicModule {
    return {
      module: InboxModule,
      controllers: [InboxController],
      providers: [{ provide: Inbox, useValue: inbox }],
    };
  }
}
