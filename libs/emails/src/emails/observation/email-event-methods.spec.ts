import { jest } from '@jest/globals';
import { Controller, Injectable, Logger, Scope } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { EmailEvent } from '../ports/event-listener.js';
import { EmailEventMethods } from './email-event-methods.js';
import { EventAnnouncer } from './event-announcer.js';
import { OnEmailEvent } from './on-email-event.js';

const eventOf = (type: EmailEvent['type']): EmailEvent => ({
  id: '1',
  createdAt: new Date(),
  accountId: 'acme',
  emailId: 'e',
  type,
});

@Injectable()
class Ledger {
  readonly seen: string[] = [];

  @OnEmailEvent('email.bounced', 'email.failed')
  bad({ type }: EmailEvent): void {
    this.seen.push(`bad ${type}`);
  }

  @OnEmailEvent('*')
  async every({ type }: EmailEvent): Promise<void> {
    this.seen.push(type);
    if (type === 'sent') throw new TypeError('secret');
  }

  other(): void {
    this.seen.push('other');
  }
}

@Controller()
class ShownController extends Ledger {}

@Injectable({ scope: Scope.TRANSIENT })
class Transient {
  @OnEmailEvent('email.sent')
  note(): void {}
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  @OnEmailEvent('email.sent')
  note(): void {}
}

const shared = new Ledger();

async function start(providers: (new () => object)[], controllers: (new () => object)[] = []) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [
      ...providers,
      { provide: 'made by a factory', useFactory: () => new Ledger() },
      { provide: 'a value', useValue: { bad: 1 } },
      { provide: 'nothing', useFactory: () => null },
      ...(providers.includes(Ledger) ? [{ provide: 'an alias', useExisting: Ledger }] : []),
      { provide: 'a shared value', useValue: shared },
      { provide: 'the same value', useValue: shared },
      { provide: EventAnnouncer, useValue: new EventAnnouncer([]) },
      EmailEventMethods,
    ],
  }).compile();
  await module.init();
  return module;
}

describe('@OnEmailEvent', () => {
  it('calls methods of providers, controllers and factory results with their events', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const module = await start([Ledger], [ShownController]);
    module.get(EventAnnouncer).announce([eventOf('sent'), eventOf('bounced')]);
    await new Promise(setImmediate);
    for (const token of [Ledger, ShownController, 'made by a factory', 'a shared value']) {
      expect(module.get<Ledger>(token).seen.sort()).toEqual(['bad bounced', 'bounced', 'sent']);
    }
    expect(error.mock.calls.map(([text]) => text)).toContain('Ledger.every failed: TypeError');
    expect(String(error.mock.calls)).not.toContain('secret');
    error.mockRestore();
    await module.close();
  });

  it('refuses a class without a single instance', async () => {
    await expect(start([Scoped])).rejects.toThrow('Scoped has `@OnEmailEvent` and must have the default scope');
    await expect(start([Transient])).rejects.toThrow('Transient has `@OnEmailEvent` and must have the default scope');
  });
});
