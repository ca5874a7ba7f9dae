import { jest } from '@jest/globals';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { type CanActivate, type DynamicModule, Global, Injectable, Logger, Module } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { EmailsModule } from './emails.module.js';
import type { EmailsOptions } from './emails.options.js';
import { WHOLE_OPTIONS } from './emails.tokens.js';
import type { EmailsFeature } from './features/emails-feature.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { queueNames } from './queue/shards.js';
import { SmtpTransport } from './transports/smtp/smtp-transport.js';

@Injectable()
class Office {}

@Module({ providers: [Office], exports: [Office] })
class OfficeModule {}

@Injectable()
class OfficeHours implements CanActivate {
  constructor(private readonly office: Office) {}

  canActivate(): boolean {
    return this.office instanceof Office;
  }
}

const options = {
  transport: new SmtpTransport({ url: 'smtp://127.0.0.1:1' }),
  accountResolver: { resolve: () => ({ accountId: 'acme', permission: 'full_access' as const }) },
};
const extras = { role: 'api' as const, guards: [OfficeHours], imports: [OfficeModule] };

/** Composes it next to a data source that the host initializes later, and without a queue. */
async function start(emails: DynamicModule): Promise<TestingModule> {
  const dataSource = { options: { type: 'postgres' }, isInitialized: false, getRepository: () => ({}) };
  @Global()
  @Module({ providers: [{ provide: DataSource, useValue: dataSource }], exports: [DataSource] })
  class DatabaseModule {}

  const module = await Test.createTestingModule({
    imports: [DatabaseModule, BullModule.forRoot({ connection: { url: 'redis://127.0.0.1:1' } }), emails],
  })
    .overrideProvider(getQueueToken(queueNames(1)[0]))
    .useValue({})
    .overrideProvider(DeliveryQueue)
    .useValue({})
    .compile();
  await module.close();
  return module;
}

describe('EmailsModule', () => {
  beforeEach(() => void jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {}));
  afterEach(() => void jest.restoreAllMocks());

  it('gives features what its imports export, in both forms', async () => {
    class Feature {}
    const feature: EmailsFeature = {
      name: 'things',
      providers: [{ provide: Feature, inject: [Office], useFactory: () => new Feature() }],
    };
    await start(EmailsModule.forRoot({ ...options, ...extras, features: [feature] }));
    await start(EmailsModule.forRootAsync({ ...extras, features: [feature], useFactory: () => options }));
  });

  it('says which line is missing where there is no data source', async () => {
    class Topic {}
    const feature: EmailsFeature = { name: 'topics', entities: [Topic] };
    const emails = EmailsModule.forRoot({ ...options, ...extras, features: [feature] });
    const bull = BullModule.forRoot({ connection: { url: 'redis://127.0.0.1:1' } });
    const starting = Test.createTestingModule({ imports: [bull, emails] }).compile();
    await expect(starting).rejects.toThrow(/: there is no data source\. Import `TypeOrmModule\.forRoot/);
  });

  it('asks each port of its features, also where two name their providers alike', async () => {
    const RULE = Symbol('rule');
    const rule = (name: string): EmailsFeature => ({
      name,
      providers: [{ provide: RULE, useValue: { name, decide: async () => [] } }],
      recipientPolicies: [RULE],
    });
    const module = await start(EmailsModule.forRoot({ ...options, ...extras, features: [rule('one'), rule('other')] }));
    const { recipientPolicies } = module.get<EmailsOptions>(WHOLE_OPTIONS, { strict: false });
    expect(recipientPolicies).toMatchObject([{ name: 'one' }, { name: 'other' }]);
    expect([...module.get(ModulesContainer).values()].filter(({ exports }) => exports.has(RULE))).toHaveLength(2);
  });
});
