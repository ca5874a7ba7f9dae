import type { AddressInfo } from 'node:net';
import {
  type CanActivate,
  Controller,
  type DynamicModule,
  Get,
  Global,
  Inject,
  Injectable,
  Module,
} from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer, RouterModule } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { ACCOUNT_RESOLVER, type AccountResolver } from '../../shared/callers/account-resolver.js';
import { CallerGuard } from '../../shared/callers/caller.guard.js';
import { CORE_OPTIONS, type CoreOptions } from '../../shared/features/feature.js';
import type { EmailsFeature } from './emails-feature.js';
import { EmailsFeatureModule, type EmailsFeatureOptions } from './emails-feature.module.js';

@Controller('things')
class ThingsController {
  @Get()
  list(): object {
    return { things: [] };
  }
}

@Injectable()
class ThingsService {
  constructor(
    readonly dataSource: DataSource,
    @Inject(CORE_OPTIONS) readonly core: CoreOptions,
    @Inject(ACCOUNT_RESOLVER) readonly accountResolver: AccountResolver,
  ) {}
}

class MakeThings {
  static readonly makes = { tables: { things: { columns: 'id' } } };
  up = async () => {};
  down = async () => {};
}

const things: EmailsFeature = {
  name: 'things',
  controllers: [ThingsController],
  providers: [ThingsService],
  migrations: [MakeThings],
};

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

@Injectable()
class Porter {
  readonly knows = true;
}

@Injectable()
class PorterGuard implements CanActivate {
  constructor(private readonly porter: Porter) {}

  canActivate(): boolean {
    return this.porter.knows;
  }
}

@Injectable()
class Never implements CanActivate {
  canActivate = () => false;
}

@Injectable()
class PorterResolver {
  resolve = () => ({ accountId: 'acme', permission: 'full_access' as const });
}

/** A feature that lets requests in. */
const porters: EmailsFeature = {
  name: 'porters',
  providers: [Porter, PorterResolver],
  exports: [Porter],
  guards: [PorterGuard],
  accountResolver: PorterResolver,
};

const features = [things];
const options: EmailsFeatureOptions = {
  accountResolver: { resolve: () => ({ accountId: 'acme', permission: 'full_access' }) },
};
const composition = { features, guards: [OfficeHours], imports: [OfficeModule] };

/** Starts it with a data source that is never asked. */
async function start(
  feature: DynamicModule,
  dataSourceOptions: object = {},
  dataSource: object = {},
): Promise<TestingModule> {
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
  return module;
}

/** The guards of the controllers of a module. */
function guardsIn(module: TestingModule): unknown[][] {
  const modules = [...module.get(ModulesContainer).values()];
  return modules.flatMap(({ controllers }) =>
    [...controllers.values()].map(({ metatype }) => Reflect.getMetadata(GUARDS_METADATA, metatype ?? {})),
  );
}

describe('EmailsFeatureModule', () => {
  it("has its routes behind the host's guards, then its own, under their names", async () => {
    const module = await start(EmailsFeatureModule.forRoot({ ...options, ...composition }));
    expect(guardsIn(module)).toEqual([[OfficeHours, CallerGuard]]);
    const [controller] = [...module.get(ModulesContainer).values()].flatMap(({ controllers }) => [
      ...controllers.values(),
    ]);
    expect(controller?.metatype?.name).toBe('ThingsController');
  });

  it('refuses to have routes without a guard', () => {
    expect(() => EmailsFeatureModule.forRoot({ ...options, features })).toThrow(
      'EmailsFeatureModule: `guards` is missing',
    );
    EmailsFeatureModule.forRoot({ features, role: 'worker' });
  });

  it('needs neither guards nor an account resolver for its services alone', async () => {
    const module = await start(EmailsFeatureModule.forRoot({ features, routes: false }));
    expect(guardsIn(module)).toEqual([]);
  });

  it('gives guards what its imports export, in both forms', async () => {
    await start(EmailsFeatureModule.forRoot({ ...options, ...composition }));
    await start(EmailsFeatureModule.forRootAsync({ ...composition, useFactory: () => options }));
  });

  it.each([{}, undefined, Promise.resolve()])('names the missing options when a factory gives %j', async (given) => {
    const module = EmailsFeatureModule.forRootAsync({
      ...composition,
      useFactory: () => given as EmailsFeatureOptions,
    });
    await expect(start(module)).rejects.toThrow(/^EmailsFeatureModule: .*`accountResolver` is missing/);
  });

  it('uses the unnamed data source also when it is called by its name', async () => {
    await start(EmailsFeatureModule.forRoot({ features, dataSource: 'default', role: 'worker' }));
  });

  it('refuses a data source that gives its tables other names', async () => {
    const started = start(EmailsFeatureModule.forRoot({ features, role: 'worker' }), { entityPrefix: 'shop_' });
    await expect(started).rejects.toThrow('`entityPrefix`');
  });

  it('refuses a data source that answers from a cache', async () => {
    const cache = { cache: { alwaysEnabled: true } };
    const started = start(EmailsFeatureModule.forRoot({ features, role: 'worker' }), cache);
    await expect(started).rejects.toThrow('`cache.alwaysEnabled`');
  });

  it('refuses a database that lacks its tables, and says which line brings their migrations', async () => {
    const empty = { isInitialized: true, query: async () => [], migrations: [] };
    const started = start(EmailsFeatureModule.forRoot({ features, role: 'worker' }), {}, empty);
    await expect(started).rejects.toThrow(
      /Feature things: the database lacks table things.*emailsDatabase\({ features }\)/,
    );
    const listed = { ...empty, migrations: [new MakeThings()] };
    const lacking = start(EmailsFeatureModule.forRoot({ features, role: 'worker' }), {}, listed);
    await expect(lacking).rejects.toThrow(/Run the migrations before the start: MakeThings\. If your table/);
  });

  it('refuses to be imported by its class alone', async () => {
    await expect(start(EmailsFeatureModule as never)).rejects.toThrow(
      'EmailsFeatureModule is imported without `forRoot`',
    );
  });

  it('refuses to be composed twice', async () => {
    const [once, again] = [1, 2].map(() => EmailsFeatureModule.forRoot({ features, role: 'worker' }));
    @Module({ imports: [once, again] as DynamicModule[] })
    class Both {}
    await expect(start(Both as never)).rejects.toThrow('EmailsFeatureModule is there twice');
  });
});

describe('a feature', () => {
  it('has the account resolver, the options and the guards of its own module, whatever imports export', async () => {
    @Module({
      providers: [
        { provide: ACCOUNT_RESOLVER, useValue: 'another' },
        { provide: CORE_OPTIONS, useValue: 'others' },
        { provide: Porter, useValue: { knows: false } },
      ],
      exports: [ACCOUNT_RESOLVER, CORE_OPTIONS, Porter],
    })
    class OtherModule {}
    const [secretKeys, imports] = [['x'.repeat(32)], [OtherModule]];
    const composed = EmailsFeatureModule.forRoot({ features: [{ ...things, imports }, porters], imports, secretKeys });
    const module = await start(composed);
    const { core, accountResolver } = module.get(ThingsService, { strict: false });
    expect([core, accountResolver]).toMatchObject([{ secretKeys }, expect.any(PorterResolver)]);
    const guards = [...module.get(ModulesContainer).values()]
      .flatMap(({ injectables }) => [...injectables.values()])
      .filter(({ metatype }) => metatype === PorterGuard);
    expect(guards.map(({ instance }) => (instance as PorterGuard).canActivate())).toEqual([true]);
  });

  it('has routes behind the guards that another one brings, then those of the application', async () => {
    const guards = { guards: [OfficeHours], imports: [OfficeModule] };
    const module = await start(EmailsFeatureModule.forRoot({ features: [things, porters], ...guards }));
    expect(guardsIn(module)).toEqual([[PorterGuard, OfficeHours, CallerGuard]]);
  });

  it('has guards, account resolver, role and routes of its own where it says so', async () => {
    const own = { ...things, own: { guards: [OfficeHours], ...options }, imports: [OfficeModule] };
    expect(guardsIn(await start(EmailsFeatureModule.forRoot({ features: [own, porters] })))).toEqual([
      [OfficeHours, CallerGuard],
    ]);
    const worker: EmailsFeature = { ...things, own: { role: 'worker' } };
    expect(guardsIn(await start(EmailsFeatureModule.forRoot({ features: [worker, porters] })))).toEqual([]);
  });

  it('has guards of its own behind those that features bring, in place of those of the application', async () => {
    const own = { ...things, own: { guards: [OfficeHours] }, imports: [OfficeModule] };
    const composed = EmailsFeatureModule.forRoot({ features: [own, porters], guards: [Never] });
    expect(guardsIn(await start(composed))).toEqual([[PorterGuard, OfficeHours, CallerGuard]]);
  });

  it('has the guards of the feature with the account resolver first, wherever that stands', async () => {
    const never: EmailsFeature = { name: 'never', guards: [Never] };
    expect(guardsIn(await start(EmailsFeatureModule.forRoot({ features: [things, never, porters] })))).toEqual([
      [PorterGuard, Never, CallerGuard],
    ]);
  });

  it('keeps the guards that it brings when it adds some of its own', async () => {
    const both = {
      ...porters,
      controllers: [ThingsController],
      own: { guards: [OfficeHours] },
      imports: [OfficeModule],
    };
    expect(guardsIn(await start(EmailsFeatureModule.forRoot({ features: [both] })))).toEqual([
      [PorterGuard, OfficeHours, CallerGuard],
    ]);
  });

  it('has its routes where RouterModule puts those of the module that composes it', async () => {
    const database = { provide: DataSource, useValue: { options: { type: 'postgres' } } };
    @Global()
    @Module({ providers: [database], exports: [DataSource] })
    class DatabaseModule {}
    const routes = RouterModule.register([{ path: 'mail', module: EmailsFeatureModule }]);
    const composed = EmailsFeatureModule.forRoot({ ...options, ...composition });
    const module = await Test.createTestingModule({ imports: [DatabaseModule, composed, routes] }).compile();
    const app = await module.createNestApplication({ bodyParser: false }).listen(0, '127.0.0.1');
    const { port } = app.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/mail/things`);
    expect([answer.status, await answer.json()]).toEqual([200, { things: [] }]);
    await new Promise((closed) => app.close(closed));
    await module.close();
  });

  it('gets the secrets of the module that composes it', async () => {
    const secretKeys = ['x'.repeat(32)];
    const module = await start(EmailsFeatureModule.forRoot({ features, role: 'worker', secretKeys }));
    expect(module.get(ThingsService, { strict: false }).core.secretKeys).toEqual(secretKeys);
  });

  it.each<[string, readonly unknown[], string]>([
    ['nothing', [], '`features` is empty'],
    ['none at all', undefined as never, '`features` is missing'],
    ['one twice', [things, things], '`features` has `things` twice'],
    ['a function', [function audience() {}], '`features[0]` must be a feature (got a function): call `audience()`'],
    ['something else', [things, 5], '`features[1]` must be an object (got a number)'],
    ['no name', [{ providers: [] }], '`features[0]` must be a feature: it has no `name`'],
    ['a name of another form', [{ name: 'My things' }], '`features[0].name` must match'],
    ['an unknown part', [{ ...things, provider: [] }], 'did you mean `features[0].providers`?'],
    [
      'a port that is no provider of every role',
      [{ name: 'things', workers: [Porter], topicPolicy: Porter }],
      '`features[0].topicPolicy` names Porter, which is not among `features[0].providers`',
    ],
    [
      'a port that only emails ask',
      [{ ...things, providers: [Porter], observers: [Porter] }],
      'the feature `things` needs emails, because it brings `observers`. Give it to `EmailsModule.forRoot({ features })`',
    ],
    [
      'two account resolvers',
      [porters, { ...porters, name: 'doormen' }],
      '`porters` and `doormen` each bring `accountResolver`, of which there is one',
    ],
  ])('is refused with %s', (_, given, message) => {
    expect(() => EmailsFeatureModule.forRoot({ features: given as EmailsFeature[], role: 'worker' })).toThrow(message);
  });

  it('needs an account resolver for routes that it alone has', async () => {
    const own = { ...things, own: { routes: true, guards: [OfficeHours] }, imports: [OfficeModule] };
    const compose = (feature: EmailsFeature) => EmailsFeatureModule.forRoot({ features: [feature], routes: false });
    expect(() => compose(own)).toThrow('`accountResolver` is missing');
    await start(compose({ ...own, own: { ...own.own, ...options } }));
  });

  it.each<[string, unknown, string]>([
    ['no interval', { step: async () => false }, '`housekeeping[0].interval` must be a whole number of milliseconds'],
    ['no step', { interval: 1_000 }, '`housekeeping[0]` must be a housekeeping task: it lacks the method `step`'],
  ])('is refused with a housekeeping task that has %s', async (_, task, message) => {
    const feature = { name: 'tidy', providers: [{ provide: 'task', useValue: task }], housekeeping: ['task'] };
    const started = start(EmailsFeatureModule.forRoot({ features: [feature], role: 'worker' }));
    await expect(started).rejects.toThrow(`Feature tidy: ${message}`);
  });

  it('cannot bring an account resolver where the application gives one', async () => {
    const message = '`accountResolver` is brought by the feature `porters`: leave one of both out';
    expect(() => EmailsFeatureModule.forRoot({ ...options, features: [porters] })).toThrow(message);
    const made = EmailsFeatureModule.forRootAsync({ features: [porters], useFactory: () => options });
    await expect(start(made)).rejects.toThrow(message);
  });
});
