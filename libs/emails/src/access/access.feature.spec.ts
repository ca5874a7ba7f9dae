import { type CanActivate, Global, Injectable, Module } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import type { EmailsFeature } from '../index.js';
import { EmailsFeatureModule } from '../index.js';
import { CallerGuard } from '../shared/callers/caller.guard.js';
import { access } from './access.feature.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';
import { RATE_LIMITER } from './rate-limit/rate-limiter.token.js';

@Injectable()
class Office {
  readonly isOpen = true;
}

@Module({ providers: [Office], exports: [Office] })
class OfficeModule {}

@Injectable()
class OfficeHours implements CanActivate {
  constructor(private readonly office: Office) {}

  canActivate(): boolean {
    return this.office.isOpen;
  }
}

/** A database that nobody asks. */
@Global()
@Module({
  providers: [{ provide: DataSource, useValue: { options: { type: 'postgres' }, getRepository: () => ({}) } }],
  exports: [DataSource],
})
class DatabaseModule {}

const start = (feature: EmailsFeature) =>
  Test.createTestingModule({
    imports: [DatabaseModule, EmailsFeatureModule.forRoot({ features: [feature] })],
  }).compile();

describe('access', () => {
  it('asks the guards that it is given after its own, and keeps the names of its controllers', async () => {
    const module = await start(access({ guards: [OfficeHours], imports: [OfficeModule] }));
    const controllers = [...module.get(ModulesContainer).values()].flatMap((one) => [...one.controllers.values()]);
    const inOrder = [ApiKeyGuard, RateLimitGuard, OfficeHours, CallerGuard];
    expect(controllers.map(({ metatype }) => metatype?.name)).toEqual(['ApiKeysController', 'NoDomainsController']);
    expect(controllers.map(({ metatype }) => Reflect.getMetadata(GUARDS_METADATA, metatype ?? {}))).toEqual([
      inOrder,
      inOrder,
    ]);
    await module.close();
  });

  it('gives them what its imports export, in both forms', async () => {
    const composition = { guards: [OfficeHours], imports: [OfficeModule] };
    await (await start(access(composition))).close();
    await (await start(access({ ...composition, useFactory: () => ({}) }))).close();
  });

  it('has a factory inject what its imports export', async () => {
    const useFactory = ({ isOpen }: Office) => ({ rateLimit: { perSecond: isOpen ? 5 : 0 } });
    const module = await start(access({ imports: [OfficeModule], inject: [Office], useFactory }));
    expect(module.get(RATE_LIMITER, { strict: false })).toMatchObject({ limit: 5 });
    await module.close();
  });

  it('needs no options', async () => {
    await (await start(access())).close();
    await (await start(access({ useFactory: () => undefined as never }))).close();
  });

  it('uses the unnamed data source also when it is called by its name', async () => {
    await (await start(access({ dataSource: 'default' }))).close();
  });
});

describe('options of access', () => {
  it.each<[string, object, string]>([
    ['a misspelt name', { ratelimit: {} }, 'did you mean `rateLimit`?'],
    ['no limit', { rateLimit: {} }, '`rateLimit.perSecond` is missing'],
    ['a text for a number', { rateLimit: { perSecond: '5' } }, '`rateLimit.perSecond` must be a whole number'],
    [
      'an URL for a client',
      { rateLimit: { perSecond: 5, redis: 'redis://:canary@x' } },
      '`rateLimit.redis` must be a client',
    ],
  ])('are refused with %s', async (_, options, message) => {
    expect(() => access(options)).toThrow(message);
    expect(() => access(options)).not.toThrow(/canary/);
    await expect(start(access({ useFactory: () => options }))).rejects.toThrow(message);
  });
});
