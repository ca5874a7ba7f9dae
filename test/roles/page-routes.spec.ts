import type { DynamicModule, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { access } from '../../libs/emails/src/access/index.js';
import { audience } from '../../libs/emails/src/audience/index.js';
import { feedback } from '../../libs/emails/src/feedback/index.js';
import { EmailsModule } from '../../libs/emails/src/index.js';
import { neededRole } from '../../libs/emails/src/shared/callers/page-role.js';
import type { ExpressApp, Handler } from '../../libs/emails/src/shared/routes/express-routes.js';
import { carriesOwnProof } from '../../libs/emails/src/shared/routes/guarded.js';
import { templates } from '../../libs/emails/src/templates/index.js';
import { webhooks } from '../../libs/emails/src/webhooks/index.js';

const transport = { name: 'none', hop: 'final', send: async () => [], verify: async () => {}, close: async () => {} };
const SECRETS = ['s'.repeat(32)];

/** The controllers of a module and of those it imports, which may import it. */
function controllersOf(module: Partial<DynamicModule>, seen = new Set<unknown>()): Type[] {
  if (seen.has(module)) return [];
  seen.add(module);
  const { controllers = [], imports = [] } = module;
  return [...controllers, ...imports.flatMap((one) => controllersOf(one as Partial<DynamicModule>, seen))];
}

/** The routes of the package in Express, and the role that each is declared for. */
async function routesInExpress(): Promise<Map<string, string | undefined>> {
  const features = [access(), audience(), feedback(), templates(), webhooks()];
  const controllers = controllersOf(EmailsModule.forRoot({ features, transport, secretKeys: SECRETS } as never));
  const ofPeople = controllers.filter((controller) => !carriesOwnProof({ getClass: () => controller } as never));
  const module = await Test.createTestingModule({ controllers: ofPeople })
    .useMocker(() => ({}))
    .compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  const { router } = app.getHttpAdapter().getInstance() as ExpressApp;
  const roles = (router?.stack ?? []).flatMap(({ route }) =>
    route
      ? [[nameOf(route), neededRole(...route.stack.map(({ handle }: { handle: Handler }) => handle))] as const]
      : [],
  );
  await app.close();
  return new Map(roles);
}

const nameOf = ({ methods, path }: { methods: Readonly<Record<string, boolean>>; path: string }) =>
  `${Object.keys(methods).join(' ').toUpperCase()} ${path}`;

describe('the routes that a session of the page reaches', () => {
  let routes: Map<string, string | undefined>;

  beforeAll(async () => {
    routes = await routesInExpress();
  });

  it('declare the role that they need, each of them', () => {
    expect(routes.size).toBeGreaterThan(40);
    expect([...routes].filter(([, role]) => role === undefined).map(([name]) => name)).toEqual([]);
  });

  it('change nothing for a viewer, and of emails alone for support', () => {
    const changing = [...routes].filter(([name]) => !name.startsWith('GET '));
    expect(changing.filter(([, role]) => role === 'viewer')).toEqual([]);
    expect(changing.filter(([, role]) => role === 'support').map(([name]) => name)).toEqual([
      'POST /emails/actions',
      'POST /emails/:id/share',
      'POST /emails/:id/resend',
      'POST /emails/:id/cancel',
      'POST /emails/:id/retry',
    ]);
  });

  it('show nothing of keys, webhooks and erasures below an admin', () => {
    const ofAdmins = [...routes].filter(([name]) => /^GET \/(api-keys|webhooks|erasures)/.test(name));
    expect(ofAdmins.length).toBeGreaterThan(4);
    expect(ofAdmins.filter(([, role]) => role !== 'admin')).toEqual([]);
  });
});
