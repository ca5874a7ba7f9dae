import 'reflect-metadata';
import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { type ActionDto, EmailsModule, SmtpTransport } from 'nestjs-emails';
import { access } from 'nestjs-emails/access';
import { audience } from 'nestjs-emails/audience';
import { templates } from 'nestjs-emails/templates';
import { webhooks } from 'nestjs-emails/webhooks';
import { until } from '../support/basics/wait-for.js';
import { ContractHost, invalid, letter, UUID } from '../support/hosts/contract-host.js';
import { untilShown } from '../support/reading/deliveries.js';
import { DashboardClient } from '../support/requests/dashboard-client.js';
import type { RequestOptions } from '../support/requests/http-request.js';

const FAR = '2096-11-21T05:26:01Z';
const FARTHER = '2096-11-22T05:26:01Z';
const AGAIN = { recipients: ['to@to.test'] };
/** Nothing listens there. */
const ENDPOINT = 'http://127.0.0.1:65000/hook';

let api: ContractHost;
let page: DashboardClient;
let count = 0;

beforeAll(async () => {
  const env = { RETRY_SCHEDULE: '1h,1h', WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', SECRET_KEY: 's'.repeat(32) };
  api = await ContractHost.start({ env });
  page = await DashboardClient.signedIn(api.host);
});

type Body = Record<string, unknown>;
type Send = (method: string, path: string, body?: object) => Promise<Body>;

async function byKey(method: string, path: string, body?: object, options: RequestOptions = {}): Promise<Body> {
  const answer = await api.host.request<Body>(method, path, { ...(body && { body }), ...options });
  expect({ path, method, body: answer.body, isDone: answer.status < 300 }).toMatchObject({ isDone: true });
  return answer.body;
}

async function byPage(method: string, path: string, body?: object): Promise<Body> {
  const answer = await page.ask(method, `/api${path}`, body ? { body } : {});
  expect({ path, method, body: answer.body, isDone: answer.status < 300 }).toMatchObject({ isDone: true });
  return answer.body;
}

async function actions(query = '', token = api.host.token): Promise<ActionDto[]> {
  const { status, body } = await api.host.request<{ data: ActionDto[] }>('GET', `/actions${query}`, { token });
  expect(status).toBe(200);
  return body.data;
}

const ownKey = async () => (await byKey('GET', '/api-keys')) as { data: { id: string }[] };
const next = () => ++count;
const idOf = (body: Body) => body.id as string;
const scheduled = () => api.accept({ scheduled_at: FAR });

async function delayed(): Promise<string> {
  api.sink.onRcpt = () => '451 4.3.0 Later';
  const id = await api.accept();
  await untilShown(api.host, id, 'delivery_delayed');
  delete api.sink.onRcpt;
  return id;
}

const made = {
  key: async () => idOf(await byKey('POST', '/api-keys', { name: 'made' })),
  topic: async () => idOf(await byKey('POST', '/topics', { name: `T${next()}`, default_subscription: 'opt_in' })),
  contact: async () => idOf(await byKey('POST', '/contacts', { email: `c${next()}@to.test` })),
  template: async () => idOf(await byKey('POST', '/templates', { name: 'T', subject: 'S', html: '<p>x</p>' })),
  webhook: async () => idOf(await byKey('POST', '/webhooks', { endpoint: ENDPOINT, events: ['email.scheduled'] })),
};

async function withWebhook<T>(work: (id: string) => Promise<T>): Promise<T> {
  const id = await made.webhook();
  try {
    return await work(id);
  } finally {
    await api.host.request('DELETE', `/webhooks/${id}`);
  }
}

async function loggedEvent(webhook: string): Promise<string> {
  await scheduled();
  const log = async () => (await byKey('GET', `/webhooks/${webhook}/events`)) as { data: { id: string }[] };
  await until(async () => (await log()).data.length > 0);
  return (await log()).data[0]?.id ?? '';
}

/** Makes the change of a route, and resolves with the id that its record has. */
type Change = (send: Send) => Promise<string>;

const on =
  (make: () => Promise<string>, method: string, path: (id: string) => string, body?: object): Change =>
  async (send) => {
    const id = await make();
    await send(method, path(id), body);
    return id;
  };
const creates =
  (path: string, body: () => object): Change =>
  async (send) =>
    idOf(await send('POST', path, body()));

/** Every changing route that records, with the name of its action. */
const RECORDED: Readonly<Record<string, [string, Change]>> = {
  'PATCH /emails/:id': ['email.reschedule', on(scheduled, 'PATCH', (id) => `/emails/${id}`, { scheduled_at: FARTHER })],
  'POST /emails/:id/cancel': ['email.cancel', on(scheduled, 'POST', (id) => `/emails/${id}/cancel`)],
  'POST /emails/:id/retry': ['email.retry', on(delayed, 'POST', (id) => `/emails/${id}/retry`)],
  'POST /emails/:id/resend': ['email.resend', on(scheduled, 'POST', (id) => `/emails/${id}/resend`, AGAIN)],
  'POST /emails/:id/share': ['email.share', on(scheduled, 'POST', (id) => `/emails/${id}/share`)],
  'POST /erasures': ['erasure.create', creates('/erasures', () => ({ email: 'gone@to.test' }))],
  'POST /api-keys': ['api_key.create', creates('/api-keys', () => ({ name: 'new' }))],
  'PATCH /api-keys/:id': ['api_key.update', on(made.key, 'PATCH', (id) => `/api-keys/${id}`, { name: 'other' })],
  'DELETE /api-keys/:id': ['api_key.delete', on(made.key, 'DELETE', (id) => `/api-keys/${id}`)],
  'POST /topics': ['topic.create', creates('/topics', () => ({ name: `N${next()}`, default_subscription: 'opt_in' }))],
  'PATCH /topics/:id': ['topic.update', on(made.topic, 'PATCH', (id) => `/topics/${id}`, { description: 'other' })],
  'DELETE /topics/:id': ['topic.delete', on(made.topic, 'DELETE', (id) => `/topics/${id}`)],
  'POST /templates': ['template.create', creates('/templates', () => ({ name: 'N' }))],
  'PATCH /templates/:idOrAlias': [
    'template.update',
    on(made.template, 'PATCH', (id) => `/templates/${id}`, { name: 'other' }),
  ],
  'DELETE /templates/:idOrAlias': ['template.delete', on(made.template, 'DELETE', (id) => `/templates/${id}`)],
  'POST /templates/:idOrAlias/publish': [
    'template.publish',
    on(made.template, 'POST', (id) => `/templates/${id}/publish`),
  ],
  'POST /templates/:idOrAlias/duplicate': [
    'template.duplicate',
    on(made.template, 'POST', (id) => `/templates/${id}/duplicate`),
  ],
  'POST /webhooks': [
    'webhook.create',
    async (send) => {
      return idOf(await send('POST', '/webhooks', { endpoint: ENDPOINT, events: ['email.sent'] }));
    },
  ],
  'PATCH /webhooks/:id': [
    'webhook.update',
    on(made.webhook, 'PATCH', (id) => `/webhooks/${id}`, { status: 'disabled' }),
  ],
  'DELETE /webhooks/:id': ['webhook.delete', on(made.webhook, 'DELETE', (id) => `/webhooks/${id}`)],
  'POST /webhooks/:id/signing-secret/rotate': [
    'webhook.rotate_secret',
    on(made.webhook, 'POST', (id) => `/webhooks/${id}/signing-secret/rotate`),
  ],
  'POST /emails/actions': [
    'email.cancel',
    async (send) => {
      const id = await scheduled();
      await send('POST', '/emails/actions', { action: 'cancel', ids: [id] });
      return id;
    },
  ],
  'POST /webhooks/:id/test': ['webhook.test', on(made.webhook, 'POST', (id) => `/webhooks/${id}/test`, {})],
  'POST /webhooks/:id/events/:event/replay': [
    'webhook_event.replay',
    (send) =>
      withWebhook(async (webhook) => {
        const event = await loggedEvent(webhook);
        await send('POST', `/webhooks/${webhook}/events/${event}/replay`);
        // The end of `withWebhook` is recorded too.
        expect((await actions('?limit=1'))[0]).toMatchObject({ action: 'webhook_event.replay', ids: [event] });
        return event;
      }),
  ],
};

/** The same for contacts: programs write them all the time, so only changes on the page are recorded. */
const BY_PAGE: Readonly<Record<string, [string, Change]>> = {
  'POST /contacts': ['contact.create', creates('/contacts', () => ({ email: `n${next()}@to.test` }))],
  'PATCH /contacts/:idOrEmail': [
    'contact.update',
    on(made.contact, 'PATCH', (id) => `/contacts/${id}`, { properties: { plan: 'pro' } }),
  ],
  'DELETE /contacts/:idOrEmail': ['contact.delete', on(made.contact, 'DELETE', (id) => `/contacts/${id}`)],
  'PATCH /contacts/:idOrEmail/topics': [
    'contact.update_topics',
    async (send) => {
      const [contact, topic] = [await made.contact(), await made.topic()];
      await send('PATCH', `/contacts/${contact}/topics`, { topics: [{ id: topic, subscription: 'opt_out' }] });
      return contact;
    },
  ],
};

/** Routes that record nothing, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST /emails': 'the email itself is the record',
  'POST /emails/batch': 'the emails themselves are the record',
  'POST /contacts/imports': 'it only refuses',
  'POST /unsubscribe/:token': "a recipient acts, by neither page nor key; the email's timeline has it",
  'POST /webhooks/:id/replay': 'of no failed event there is nothing to record; webhook-log has the others',
};

/** Every route of the package that is not a read, from the controllers that the module mounts. */
function changingRoutes(
  { controllers = [], imports = [] }: Partial<DynamicModule>,
  seen = new Set<unknown>(),
): string[] {
  const own = (controllers as Type[]).flatMap((controller) => {
    const { prototype } = controller as { prototype: Record<string, object> };
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const route = prototype[name] as object;
      const [path, method] = [PATH_METADATA, METHOD_METADATA].map((key) => Reflect.getMetadata(key, route));
      if (name === 'constructor' || path === undefined || [RequestMethod.GET, RequestMethod.HEAD].includes(method))
        return [];
      const whole = `/${Reflect.getMetadata(PATH_METADATA, controller)}/${path}`.replace(/\/+/g, '/');
      return [`${RequestMethod[method as number]} ${whole.replace(/(.)\/$/, '$1')}`];
    });
  });
  const others = imports.flatMap((one) => {
    if (seen.has(one) || !(one && typeof one === 'object' && 'module' in one)) return [];
    seen.add(one);
    return changingRoutes(one as DynamicModule, seen);
  });
  return [...own, ...others];
}

const ROUTES = [
  ...new Set(
    changingRoutes(
      EmailsModule.forRoot({
        features: [access(), audience(), templates(), webhooks()],
        transport: new SmtpTransport({ url: 'smtp://127.0.0.1:9' }),
      }),
    ),
  ),
];

const theOne = async (action: string, ids: string[]) =>
  (await actions(`?action=${action}`)).filter((found) => found.ids.join() === ids.join());

describe('GET /actions', () => {
  it('knows of every changing route whether it records', () => {
    expect(ROUTES.toSorted()).toEqual(
      [...Object.keys(RECORDED), ...Object.keys(BY_PAGE), ...Object.keys(EXCEPTIONS)].sort(),
    );
  });

  it.each(Object.entries(RECORDED))('has a change by key: %s', async (_, [action, change]) => {
    const [key] = (await ownKey()).data.slice(-1);
    const id = await change(byKey);
    expect(await theOne(action, [id])).toEqual([
      {
        id: expect.stringMatching(UUID),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/),
        action,
        source: 'api',
        key_id: key?.id,
        session_id: null,
        ids: [id],
        count: 1,
      },
    ]);
    await removeWebhooks();
  });

  it.each(Object.entries({ ...RECORDED, ...BY_PAGE }))('has a change by the page: %s', async (_, [action, change]) => {
    const [key] = (await ownKey()).data.slice(-1);
    const id = await change(byPage);
    const [found, ...more] = await theOne(action, [id]);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ action, source: 'page', key_id: key?.id, session_id: expect.any(String), count: 1 });
    await removeWebhooks();
  });

  it.each(Object.entries(BY_PAGE))('has no change of contacts by a key: %s', async (_, [action, change]) => {
    const id = await change(byKey);
    expect(await theOne(action, [id])).toEqual([]);
  });

  it('has nothing of sent emails, and nothing that was refused or changed nothing', async () => {
    const id = await scheduled();
    await byKey('POST', '/emails/batch', [letter()]);
    const topic = await made.topic();
    await byKey('POST', `/emails/${id}/cancel`);
    const [before] = await actions('?limit=1');
    await byKey('POST', `/emails/${id}/cancel`);
    await byKey('PATCH', `/topics/${topic}`, {});
    await byKey('PATCH', `/contacts/${await made.contact()}`, {});
    const absent = '0198f0c1-0000-7000-8000-000000000000';
    for (const [method, path, body] of [
      ['POST', `/emails/${id}/retry`],
      ['PATCH', `/emails/${id}`, { scheduled_at: FAR }],
      ['POST', `/emails/${absent}/share`],
      ['POST', `/emails/${absent}/resend`],
      ['DELETE', `/topics/${absent}`],
      ['PATCH', `/topics/${topic}`, { name: '' }],
      ['POST', '/templates', { name: 'T', alias: 'a b' }],
    ] as const) {
      const { status } = await api.host.request(method, path, body ? { body } : {});
      expect([path, status >= 200]).toEqual([path, true]);
    }
    const [after] = await actions('?limit=1');
    expect(after).toEqual(before);
  });

  it('has a resent email once for each idempotency key', async () => {
    const id = await scheduled();
    const headers = { 'idempotency-key': 'once' };
    for (let n = 0; n < 2; n++) await byKey('POST', `/emails/${id}/resend`, AGAIN, { headers });
    expect(await theOne('email.resend', [id])).toHaveLength(1);
  });

  it('is newest first, in pages, and belongs to one account', async () => {
    const { token } = await api.host.account('neighbour');
    for (let n = 0; n < 3; n++)
      await byKey('POST', '/topics', { name: 'P', default_subscription: 'opt_in' }, { token });
    const all = await actions('', token);
    expect(all.map(({ action }) => action)).toEqual(['topic.create', 'topic.create', 'topic.create']);
    const [first, second, third] = all as [ActionDto, ActionDto, ActionDto];
    expect(await actions('?limit=1', token)).toEqual([first]);
    expect(await actions(`?after=${first.id}`, token)).toEqual([second, third]);
    expect(await actions(`?before=${third.id}&action=topic.create`, token)).toEqual([first, second]);
    expect(await actions('?action=topic.delete', token)).toEqual([]);
    const other = await api.host.request('GET', `/actions?after=${first.id}`);
    expect(other.status).toBe(422);
    expect(JSON.stringify(await actions('?limit=100'))).not.toContain(first.id);
  });

  it.each(['Email.cancel', "email.cancel' OR true --", '', 'email', 'x'.repeat(102)])(
    'refuses %j as a name',
    async (action) => {
      const path = `/actions?action=${encodeURIComponent(action)}`;
      await api.refuseRequest('GET', path, {}, invalid(/`action` must be the name of an action/));
    },
  );

  it('is not for a key that may only send', async () => {
    const { token } = (await byKey('POST', '/api-keys', { name: 's', permission: 'sending_access' })) as Record<
      string,
      string
    >;
    const { status, body } = await api.host.request<Body>('GET', '/actions', { token: token ?? '' });
    expect({ status, body }).toMatchObject({ status: 401, body: { name: 'restricted_api_key' } });
  });

  it('is undone with its change', async () => {
    const id = await scheduled();
    await api.host.query(
      'ALTER TABLE nestjs_emails.actions ADD CONSTRAINT refused CHECK (action <> $$email.cancel$$) NOT VALID',
    );
    try {
      expect((await api.host.request('POST', `/emails/${id}/cancel`)).status).toBeGreaterThanOrEqual(500);
      expect((await api.record(id)).last_event).toBe('scheduled');
    } finally {
      await api.host.query('ALTER TABLE nestjs_emails.actions DROP CONSTRAINT refused');
    }
    await byKey('POST', `/emails/${id}/cancel`);
    expect(await theOne('email.cancel', [id])).toHaveLength(1);
  });

  it('is kept for 90 days', async () => {
    await api.host.query("UPDATE nestjs_emails.actions SET created_at = now() - interval '91 days'");
    await byKey('POST', '/topics', { name: 'Kept', default_subscription: 'opt_in' });
    await api.host.query(`UPDATE nestjs_emails.actions SET created_at = now() - interval '89 days'
      WHERE seq = (SELECT max(seq) FROM nestjs_emails.actions)`);
    await api.host.restart();
    const rows = () => api.host.query<{ action: string }>('SELECT action FROM nestjs_emails.actions');
    await until(async () => (await rows()).length === 1);
    expect(await rows()).toEqual([{ action: 'topic.create' }]);
  });
});

/** An account may have ten. */
async function removeWebhooks(): Promise<void> {
  const { data } = (await byKey('GET', '/webhooks')) as { data: { id: string }[] };
  for (const { id } of data) await api.host.request('DELETE', `/webhooks/${id}`);
}
