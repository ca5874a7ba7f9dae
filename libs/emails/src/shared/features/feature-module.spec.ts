import { type CanActivate, Controller, type DynamicModule, Global, Injectable, Module } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { CallerGuard } from '../callers/caller.guard.js';
import type { FeatureOptions } from './feature.options.js';
import { featureModule } from './feature-module.js';

@Controller('things')
class ThingsController {}

@Injectable()
class ThingsService {
  constructor(readonly dataSource: DataSource) {}
}

class MakeThings {
  static readonly makes = { tables: { things: { columns: 'id' } } };
  up = async () => {};
  down = async () => {};
}

@Module({})
class ThingsModule extends featureModule({
  name: 'ThingsModule',
  controllers: [ThingsController],
  services: [ThingsService],
  migrations: [MakeThings],
}) {}

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

const options: FeatureOptions = {
  accountResolver: { resolve: () => ({ accountId: 'acme', permission: 'full_access' }) },
};
const composition = { guards: [OfficeHours], imports: [OfficeModule] };

/** Starts it beside a data source that nobody asks. */
async function start(
  feature: DynamicModule,
  dataSourceOptions: object = {},
  dataSource: object = {},
): Promise<ThingsService> {
  @Global()
  @Module({
    providers: [
      { provide: DataSource, useValue: { ...dataSource, options: { type: 'postgres', ...dataSourceOptions } } },
    ],
    exports: [DataSource],
  })
  class DatabaseModule {}

  const module = await Test.createTestingModule({ imports: [DatabaseModule, feature] }).compile();
  await module.close();
  return module.get(ThingsService, { strict: false });
}

describe('featureModule', () => {
  it("has its routes behind the host's guards, then its own, under their names", () => {
    const [controller, ...others] = ThingsModule.forRoot({ ...options, ...composition }).controllers ?? [];
    expect(Reflect.getMetadata(GUARDS_METADATA, controller ?? {})).toEqual([OfficeHours, CallerGuard]);
    expect([controller?.name, others]).toEqual(['ThingsController', []]);
  });

  it('refuses to have routes without a guard', () => {
    expect(() => ThingsModule.forRoot(options)).toThrow('ThingsModule: `guards` is missing');
    expect(ThingsModule.forRoot({ role: 'worker' }).controllers).toEqual([]);
  });

  it('needs neither guards nor an account resolver for its services alone', async () => {
    const services = ThingsModule.forRoot({ routes: false });
    expect(services.controllers).toEqual([]);
    await start(services);
  });

  it('gives guards what its imports export, in both forms', async () => {
    await start(ThingsModule.forRoot({ ...options, ...composition }));
    await start(ThingsModule.forRootAsync({ ...composition, useFactory: () => options }));
  });

  it.each([{}, undefined, Promise.resolve()])('says what is missing when a factory gives %j', async (given) => {
    const feature = ThingsModule.forRootAsync({ ...composition, useFactory: () => given as FeatureOptions });
    await expect(start(feature)).rejects.toThrow(/^ThingsModule: .*`accountResolver` is missing/);
  });

  it('uses the unnamed data source also when it is called by its name', async () => {
    await start(ThingsModule.forRoot({ dataSource: 'default', role: 'worker' }));
  });

  it('refuses a data source that gives its tables other names', async () => {
    const started = start(ThingsModule.forRoot({ role: 'worker' }), { entityPrefix: 'shop_' });
    await expect(started).rejects.toThrow('`entityPrefix`');
  });

  it('refuses a data source that answers from a cache', async () => {
    const started = start(ThingsModule.forRoot({ role: 'worker' }), { cache: { alwaysEnabled: true } });
    await expect(started).rejects.toThrow('`cache.alwaysEnabled`');
  });

  it('refuses a database that lacks its tables', async () => {
    const empty = { isInitialized: true, query: async () => [] };
    const started = start(ThingsModule.forRoot({ role: 'worker' }), {}, empty);
    await expect(started).rejects.toThrow('ThingsModule: the database lacks table things');
  });

  it('refuses to be imported by its class alone', async () => {
    await expect(start(ThingsModule as never)).rejects.toThrow('ThingsModule is imported without `forRoot`');
  });
});
