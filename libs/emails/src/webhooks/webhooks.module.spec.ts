import { type CanActivate, Global, Injectable, Module } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import type { AccountResolver } from '../shared/callers/account-resolver.js';
import { CallerGuard } from '../shared/callers/caller.guard.js';
import { WebhooksModule } from './webhooks.module.js';
import type { WebhooksOptions } from './webhooks.options.js';

@Injectable()
class OfficeHours implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

/** A database that nobody asks. */
@Global()
@Module({
  providers: [{ provide: DataSource, useValue: { options: { type: 'postgres' }, getRepository: () => ({}) } }],
  exports: [DataSource],
})
class DatabaseModule {}

const accountResolver: AccountResolver = { resolve: () => ({ accountId: 'a', permission: 'full_access' }) };
const guards = [OfficeHours];

const start = (webhooks: ReturnType<typeof WebhooksModule.forRoot>) =>
  Test.createTestingModule({ imports: [DatabaseModule, webhooks] }).compile();

describe('WebhooksModule', () => {
  it('asks the guards that it is given, of every route', () => {
    const { controllers = [] } = WebhooksModule.forRoot({ accountResolver, guards });
    expect(controllers.map(({ name }) => name)).toEqual(['WebhookEventsController', 'WebhooksController']);
    for (const controller of controllers)
      expect(Reflect.getMetadata(GUARDS_METADATA, controller)).toEqual([OfficeHours, CallerGuard]);
  });

  it('has no routes in a worker, and needs no options there', async () => {
    expect(WebhooksModule.forRoot({ role: 'worker' }).controllers).toEqual([]);
    await (await start(WebhooksModule.forRoot({ role: 'worker' }))).close();
  });

  it('takes every option', async () => {
    const options: Required<WebhooksOptions> = {
      accountResolver,
      secretKeys: ['x'.repeat(32)],
      allowPrivate: ['10.0.0.0/8', 'fd00::/8'],
      observer: { attempted: () => {} },
      retrySchedule: [1_000],
      timeout: 1_000,
      logRetention: 86_400_000,
    };
    await (await start(WebhooksModule.forRoot({ ...options, guards }))).close();
    await (await start(WebhooksModule.forRootAsync({ guards, useFactory: () => options }))).close();
  });

  it.each<[string, object, string]>([
    ['no account resolver', { guards }, '`accountResolver` is missing'],
    ['no guards', { accountResolver }, '`guards`'],
    ['a name that is none', { allowprivate: [] }, 'did you mean `allowPrivate`?'],
    ['a block without its length', { allowPrivate: ['10.0.0.1'] }, '`allowPrivate[0]` must be a CIDR block'],
    ['a block that is a name', { allowPrivate: ['localhost/8'] }, '`allowPrivate[0]` must be a CIDR block'],
    ['a short secret', { secretKeys: ['short'] }, '`secretKeys[0]`'],
    ['an observer that hears nothing', { observer: { attempted: 1 } }, '`observer'],
    ['a schedule of texts', { retrySchedule: ['5s'] }, '`retrySchedule[0]`'],
    ['no time', { timeout: 0 }, '`timeout`'],
    ['no retention', { logRetention: 0 }, '`logRetention`'],
  ])('refuses %s', async (what, options, message) => {
    const whole = what.startsWith('no ') && !('timeout' in options || 'logRetention' in options);
    const given = whole ? options : { accountResolver, guards, ...options };
    await expect(async () => start(WebhooksModule.forRoot(given))).rejects.toThrow(message);
  });
});
