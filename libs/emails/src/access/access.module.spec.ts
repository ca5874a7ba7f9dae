import { type CanActivate, Global, Injectable, Module } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { CallerGuard } from '../shared/callers/caller.guard.js';
import { AccessModule } from './access.module.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { RateLimitGuard } from './rate-limit/rate-limit.guard.js';

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

const start = (access: ReturnType<typeof AccessModule.forRoot>) =>
  Test.createTestingModule({ imports: [DatabaseModule, access] }).compile();

describe('AccessModule', () => {
  it('asks the guards that it is given after its own', () => {
    const { controllers = [] } = AccessModule.forRoot({ guards: [OfficeHours] });
    const guards = controllers.map((controller) => Reflect.getMetadata(GUARDS_METADATA, controller));
    const inOrder = [ApiKeyGuard, RateLimitGuard, OfficeHours, CallerGuard];
    expect(guards).toEqual([inOrder, inOrder]);
  });

  it('gives them what its imports export, in both forms', async () => {
    const composition = { guards: [OfficeHours], imports: [OfficeModule] };
    await (await start(AccessModule.forRoot(composition))).close();
    await (await start(AccessModule.forRootAsync({ ...composition, useFactory: () => ({}) }))).close();
  });

  it('needs no options', async () => {
    await (await start(AccessModule.forRoot())).close();
    await (await start(AccessModule.forRootAsync({ useFactory: () => undefined as never }))).close();
  });

  it('uses the unnamed data source also when it is called by its name', async () => {
    await (await start(AccessModule.forRoot({ dataSource: 'default' }))).close();
  });

  it('keeps the names of its controllers, for logs and stacks', () => {
    const names = AccessModule.forRoot({}).controllers?.map(({ name }) => name);
    expect(names).toEqual(['ApiKeysController', 'NoDomainsController']);
  });
});

describe('options of AccessModule', () => {
  it.each<[string, object, string]>([
    ['a name that is none', { ratelimit: {} }, 'did you mean `rateLimit`?'],
    ['no limit', { rateLimit: {} }, '`rateLimit.perSecond` is missing'],
    ['a text for a number', { rateLimit: { perSecond: '5' } }, '`rateLimit.perSecond` must be a whole number'],
    [
      'an URL for a client',
      { rateLimit: { perSecond: 5, redis: 'redis://:canary@x' } },
      '`rateLimit.redis` must be a client',
    ],
  ])('are refused with %s', (_, options, message) => {
    expect(() => AccessModule.forRoot(options)).toThrow(message);
    expect(() => AccessModule.forRoot(options)).not.toThrow(/canary/);
  });

  it('are needed: the class alone says so', async () => {
    await expect(start(AccessModule as never)).rejects.toThrow('AccessModule is imported without `forRoot`');
  });
});
