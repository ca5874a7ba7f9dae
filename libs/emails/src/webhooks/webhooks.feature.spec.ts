import { type CanActivate, Global, Injectable, Module, type Type } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { EmailsFeatureModule } from '../index.js';
import type { AccountResolver } from '../shared/callers/account-resolver.js';
import { CallerGuard } from '../shared/callers/caller.guard.js';
import { SecretKeys } from '../shared/keys/secret-keys.js';
import { WebhookWorkers } from './deliver/webhook-workers.js';
import { SealedSecrets } from './secrets/sealed-secrets.js';
import { webhooks } from './webhooks.feature.js';
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

const composition = { accountResolver, guards };

type Settings = Parameters<typeof webhooks>[0];

/** Without what only emails ask. */
const withoutEmails = (settings: Settings) => ({ ...webhooks(settings), eventSubscriptions: [], metrics: [] });

const start = (settings: Settings, core: object = composition) =>
  Test.createTestingModule({
    imports: [DatabaseModule, EmailsFeatureModule.forRoot({ features: [withoutEmails(settings)], ...core })],
  }).compile();

const controllersOf = (module: TestingModule) =>
  [...module.get(ModulesContainer).values()].flatMap(({ controllers }) =>
    [...controllers.values()].map(({ metatype }) => metatype ?? {}),
  ) as Type[];

describe('webhooks', () => {
  it('is refused without emails, which its events are of', () => {
    expect(() => EmailsFeatureModule.forRoot({ features: [webhooks()], ...composition })).toThrow(
      'EmailsFeatureModule: the feature `webhooks` needs emails, because it brings `eventSubscriptions`, `metrics`.',
    );
  });

  it('asks the guards that it is given, of every route', async () => {
    const module = await start({});
    const controllers = controllersOf(module);
    expect(controllers.map(({ name }) => name)).toEqual([
      'WebhookEventsController',
      'WebhookLogController',
      'WebhooksController',
    ]);
    for (const controller of controllers)
      expect(Reflect.getMetadata(GUARDS_METADATA, controller)).toEqual([OfficeHours, CallerGuard]);
    await module.close();
  });

  it('has no routes in a worker, and needs no options there', async () => {
    const module = await start(undefined, { role: 'worker' });
    expect(controllersOf(module)).toEqual([]);
    await module.close();
  });

  it('works if its own role says so, or that of the core', async () => {
    for (const [own, core, works] of [
      ['api', 'all', false],
      ['all', 'api', true],
      [undefined, 'api', false],
    ] as const) {
      const module = await start(own === undefined ? {} : { role: own }, { ...composition, role: core });
      const workers = [...module.get(ModulesContainer).values()].some(({ providers }) => providers.has(WebhookWorkers));
      expect(workers).toBe(works);
      await module.close();
    }
  });

  it('uses the secrets of the core unless it has its own', async () => {
    const [ofCore, own] = ['c'.repeat(32), 'o'.repeat(32)];
    for (const [settings, secret] of [
      [{}, ofCore],
      [{ secretKeys: [own] }, own],
      [{ useFactory: () => ({ secretKeys: [own] }) }, own],
    ] as const) {
      const module = await start(settings, { ...composition, secretKeys: [ofCore] });
      const { sealed } = module.get(SealedSecrets, { strict: false }).make('id');
      expect(new SealedSecrets(new SecretKeys([secret])).knows(sealed)).toBe(true);
      await module.close();
    }
  });

  it('accepts every option', async () => {
    const options: Required<WebhooksOptions> = {
      secretKeys: ['x'.repeat(32)],
      allowPrivate: ['10.0.0.0/8', 'fd00::/8'],
      observer: { attempted: () => {} },
      retrySchedule: [1_000],
      timeout: 1_000,
      logRetention: 86_400_000,
    };
    await (await start(options)).close();
    await (await start({ useFactory: () => options })).close();
  });

  it('refuses options that are not an object', () => {
    expect(() => webhooks(null as never)).toThrow('Feature webhooks: its options must be an object (got null).');
  });

  it.each<[string, object, string]>([
    ['a misspelt name', { allowprivate: [] }, 'did you mean `allowPrivate`?'],
    ['a block without its length', { allowPrivate: ['10.0.0.1'] }, '`allowPrivate[0]` must be a CIDR block'],
    ['a name as a block', { allowPrivate: ['localhost/8'] }, '`allowPrivate[0]` must be a CIDR block'],
    ['a short secret', { secretKeys: ['short'] }, '`secretKeys[0]`'],
    ['an observer without methods', { observer: { attempted: 1 } }, '`observer'],
    ['a schedule of texts', { retrySchedule: ['5s'] }, '`retrySchedule[0]`'],
    ['no time', { timeout: 0 }, '`timeout`'],
    ['no retention', { logRetention: 0 }, '`logRetention`'],
  ])('refuses %s', async (_, options, message) => {
    expect(() => webhooks(options)).toThrow(message);
    await expect(start({ useFactory: () => options })).rejects.toThrow(message);
  });
});
