import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import pg from 'pg';
import { eventually, until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';
import {
  expectRefused,
  invalid,
  missing,
  NO_ID,
  NOT_FOUND,
  type Refusal,
  type RequestLine,
} from '../support/rules/refusals.js';
import { FileServer } from '../support/servers/file-server.js';

const ID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
const MESSAGE = expect.stringMatching(/^msg_[A-Za-z0-9]{27}$/);

/** Logs without those of deleted webhooks, which are deleted at any time. */
const LOGS = `(SELECT * FROM nestjs_emails.webhook_events WHERE webhook_id IN (SELECT id FROM nestjs_emails.webhooks))`;
const TABLES = ['nestjs_emails.webhooks', 'nestjs_emails.event_subscriptions', LOGS];

/** Pending work of a worker. */
const UNSETTLED = `
  SELECT FROM nestjs_emails.event_outbox
  UNION ALL SELECT FROM nestjs_emails.webhooks WHERE leased_until IS NOT NULL
  UNION ALL SELECT FROM ${LOGS} AS log WHERE due_at IS NOT NULL OR replays > 0`;

const HTTPS = 'https://hooks.example.com/in';

/** The 37 names of section B4. */
const EVERY_TYPE = [
  ...['sent', 'scheduled', 'delivered', 'delivery_delayed', 'complained', 'bounced', 'opened', 'clicked', 'received'],
  ...['failed', 'suppressed'],
]
  .map((type) => `email.${type}`)
  .concat(['contact.created', 'contact.updated', 'contact.deleted', 'contact.topics.updated'])
  .concat(['domain', 'topic'].flatMap((of) => ['created', 'updated', 'deleted'].map((type) => `${of}.${type}`)))
  .concat(['suppression.added', 'suppression.removed', 'inbox.created', 'inbox.updated', 'inbox.deleted'])
  .concat(
    ['created', 'folder.updated', 'assigned', 'unassigned', 'labels.updated'].map((type) => `inbox.thread.${type}`),
  )
  .concat(['inbox.email.received', 'inbox.email.sent'])
  .concat(['created', 'updated', 'sent', 'deleted'].map((type) => `inbox.draft.${type}`));

interface Made {
  id: string;
  signing_secret: string;
}
interface ListBody<T = { id: string }> {
  object: string;
  has_more: boolean;
  data: T[];
}
interface LoggedEvent {
  id: string;
  type: string;
  created_at: string;
  status: string;
}
interface Got {
  headers: IncomingHttpHeaders;
  body: string;
}

let host: RunningHost;
let receiver: FileServer;
/** Requests to each path of the receiver. */
const got: Record<string, Got[]> = {};

beforeAll(async () => {
  receiver = await FileServer.start();
  host = await startHost({ env: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', RATE_LIMIT_PER_SECOND: '1000' } });
});

/** An endpoint of the receiver. @param answer its answers, in turn; the last one repeats */
function listenAt(path: string, ...answer: number[]): string {
  got[path] = [];
  receiver.routes[path] = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const told = got[path] ?? [];
      told.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer[Math.min(told.length, answer.length) - 1] ?? 200).end('thank you');
    });
  };
  return receiver.url + path;
}

async function create(fields: object = {}, token = host.token): Promise<Made> {
  const body = { endpoint: HTTPS, events: ['email.delivered'], ...fields };
  const { status, body: made } = await host.request<Made>('POST', '/webhooks', { body, token });
  expect({ status, made }).toMatchObject({ status: 201 });
  return made;
}

/** An existing webhook. */
async function any(): Promise<{ id: string }> {
  return (await host.request<ListBody>('GET', '/webhooks')).body.data[0] ?? create();
}

/** The token of an account without webhooks. */
async function fresh(): Promise<string> {
  for (const { id } of (await host.request<ListBody>('GET', '/webhooks')).body.data)
    await host.request('DELETE', `/webhooks/${id}`);
  return host.token;
}

/** Expects a refusal without changes. Compares only data that no worker writes meanwhile. */
async function refuse(line: RequestLine, refusal: Refusal): Promise<void> {
  await until(async () => (await host.query(UNSETTLED)).length === 0, { what: 'workers that have nothing to write' });
  await expectRefused(host, line, refusal, TABLES);
}

const show = async (id: string, token = host.token) => (await host.request('GET', `/webhooks/${id}`, { token })).body;
const change = async (id: string, body: object, token = host.token) =>
  host.request('PATCH', `/webhooks/${id}`, { body, token });

/** Causes an event by accepting an email for later. @returns its id */
async function happen(token: string): Promise<string> {
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const body = { from: 'a@from.test', to: 'b@to.test', subject: 'Later', text: 'x', scheduled_at: later };
  const { status, body: made } = await host.request<{ id: string }>('POST', '/emails', { body, token });
  expect(status).toBe(200);
  return made.id;
}

const log = async (id: string, token: string, query = '') =>
  (await host.request<ListBody<LoggedEvent>>('GET', `/webhooks/${id}/events${query}`, { token })).body;

async function untilLogged(id: string, token: string, status: string): Promise<LoggedEvent> {
  await until(async () => (await log(id, token)).data[0]?.status === status, { what: `an event that is ${status}` });
  return (await log(id, token)).data[0] as LoggedEvent;
}

/** Every route of one webhook. */
const routesOf = (id: string, event = `msg_${'a'.repeat(27)}`): [string, string, { body?: unknown }][] => [
  ['GET', `/webhooks/${id}`, {}],
  ['PATCH', `/webhooks/${id}`, { body: { status: 'disabled' } }],
  ['DELETE', `/webhooks/${id}`, {}],
  ['POST', `/webhooks/${id}/signing-secret/rotate`, {}],
  ['GET', `/webhooks/${id}/events`, {}],
  ['GET', `/webhooks/${id}/events/${event}`, {}],
  ['GET', `/webhooks/${id}/events/${event}/attempts`, {}],
  ['POST', `/webhooks/${id}/events/${event}/replay`, {}],
];

describe('a webhook of a new installation', () => {
  it('enabled before there was any event gets the first one', async () => {
    const token = await fresh();
    const { id } = await create(
      { endpoint: listenAt('/first'), events: ['email.scheduled'], status: 'disabled' },
      token,
    );
    await change(id, { status: 'enabled' }, token);
    await happen(token);
    await untilLogged(id, token, 'success');
  });
});

describe('POST /webhooks', () => {
  it('answers with the id and the secret, of 32 bytes, and nothing else', async () => {
    const token = await fresh();
    const made = await create({}, token);
    expect(made).toEqual({ object: 'webhook', id: ID, signing_secret: SECRET });
    expect((await create({}, token)).signing_secret).not.toBe(made.signing_secret);
  });

  it('accepts every event type, each once', async () => {
    const token = await fresh();
    expect(EVERY_TYPE).toHaveLength(37);
    const { id } = await create({ events: EVERY_TYPE }, token);
    expect(await show(id, token)).toMatchObject({ events: EVERY_TYPE });
    const { id: twice } = await create({ events: ['email.sent', 'email.opened', 'email.sent'] }, token);
    expect(await show(twice, token)).toMatchObject({ events: ['email.sent', 'email.opened'] });
    const { id: often } = await create({ events: [...EVERY_TYPE, ...EVERY_TYPE, ...EVERY_TYPE] }, token);
    expect(await show(often, token)).toMatchObject({ events: EVERY_TYPE });
    expect((await change(twice, { events: Array(1_000).fill('email.sent') }, token)).status).toBe(200);
    expect(await show(twice, token)).toMatchObject({ events: ['email.sent'] });
  });

  it('accepts the status that some clients send', async () => {
    const token = await fresh();
    for (const [status, shown] of [
      ['enabled', 'enabled'],
      ['disabled', 'disabled'],
      [null, 'enabled'],
    ]) {
      const { id } = await create({ status }, token);
      expect(await show(id, token)).toMatchObject({ status: shown });
    }
  });

  it('accepts endpoints of every valid kind', async () => {
    const token = await fresh();
    for (const endpoint of [
      'https://hooks.example.com',
      'https://bücher.example/päth?q=1&q=2',
      'https://hooks.example.com:8443/in',
      'https://hooks.example.com:80/',
      `${HTTPS}/${'x'.repeat(2_048 - HTTPS.length - 1)}`,
      'https://[2606:4700:4700::1111]/in',
      'http://127.0.0.1:8080/in',
      'https://8.8.8.8/',
    ]) {
      const { id } = await create({ endpoint }, token);
      expect(await show(id, token)).toMatchObject({ endpoint });
    }
  });

  const BAD_ENDPOINTS: readonly (readonly [string, unknown])[] = [
    ['no URL', 'hooks.example.com/in'],
    ['no host', 'https://'],
    ['another scheme', 'ftp://hooks.example.com/in'],
    ['a script', 'javascript:alert(1)'],
    ['more than 2,048 characters', `${HTTPS}/${'x'.repeat(2_048)}`],
    ['a user', 'https://me@hooks.example.com/in'],
    ['a password', 'https://:pass@hooks.example.com/in'],
    ['an empty user', 'https://@hooks.example.com/in'],
    ['an empty user and password', 'https://:@hooks.example.com/in'],
    ['backslashes', 'https:\\\\hooks.example.com\\in'],
    ['a backslash that hides the host', 'https://hooks.example.com\\@other.example/in'],
    ['a backslash in its query', `${HTTPS}?a=\\b`],
    ['no slashes', 'https:hooks.example.com/in'],
    ['one slash', 'https:/hooks.example.com/in'],
    ['three slashes', 'https:///hooks.example.com/in'],
    ['a short spelling of an IPv4 address', 'https://127.1/in'],
    ['another number base of an IPv4 address', 'https://0x7f.0.0.1/in'],
    ['an IPv4 address in wide digits', 'https://１２７.0.0.1/in'],
    ['an encoded host', 'https://hooks.ex%61mple.com/in'],
    ['text that runs backwards', 'https://hooks.example.com/\u202eni'],
    ['an isolate of text', 'https://hooks.example.com/\u2066in\u2069'],
    ['a joiner that is not seen', 'https://hooks.exam\u200dple.com/in'],
    ['a soft hyphen in its host', 'https://hooks.exam\u00adple.com/in'],
    ['a filler that is not seen', 'https://hooks.example.com/\u3164in'],
    ['a byte order mark', '\ufeffhttps://hooks.example.com/in'],
    ['a fragment', `${HTTPS}#there`],
    ['an empty fragment', `${HTTPS}#`],
    ['a low port', 'https://hooks.example.com:25/in'],
    ['port 0', 'https://hooks.example.com:0/in'],
    ['a port too high', 'https://hooks.example.com:65536/in'],
    ['a private address', 'https://10.0.0.1/in'],
    ['http at a public address', 'http://8.8.8.8/in'],
    ['the address of cloud metadata', 'http://169.254.169.254/latest/meta-data'],
    ['the same in another notation', 'https://0xa9.0xfe.0xa9.0xfe/'],
    ['an address as a number', 'https://167772161/'],
    ['this host over IPv6', 'https://[::1]/in'],
    ['a line separator in it', 'https://hooks.example.com/\u2028in'],
    ['a private address mapped into IPv6', 'https://[::ffff:10.0.0.1]/in'],
    ['no address', 'https://0.0.0.0/in'],
    ['a space before it', ` ${HTTPS}`],
    ['a line break in it', 'https://hooks.example.com/\nin'],
    ['NUL', 'https://hooks.example.com/\0'],
    ['half of a surrogate pair', 'https://hooks.example.com/\ud800'],
    ['a number', 7],
    ['a list', [HTTPS]],
    ['an object', { url: HTTPS }],
  ];
  const BAD_EVENTS: readonly (readonly [string, unknown])[] = [
    ['an unknown one', ['email.exploded']],
    ['one that is misspelt', ['email.sent', 'email.delivred']],
    ['one in capitals', ['EMAIL.SENT']],
    ['one without its kind', ['sent']],
    ['all by a star', ['*']],
    ['a text', 'email.sent'],
    ['an object', { 0: 'email.sent' }],
    ['null among them', ['email.sent', null]],
    ['a number', [1]],
    ['a list of lists', [['email.sent']]],
    ['an unknown one behind many', [...Array(1_000).fill('email.sent'), 'email.exploded']],
    ['a property of every object', ['constructor', '__proto__']],
  ];

  it.each<[string, object, Refusal]>([
    ['no endpoint', { endpoint: undefined }, missing('endpoint')],
    ['an empty endpoint', { endpoint: '' }, missing('endpoint')],
    ['no events', { events: undefined }, missing('events')],
    ['an empty list of events', { events: [] }, missing('events')],
    ['events that are null', { events: null }, missing('events')],
    ['another status', { status: 'paused' }, invalid('`status`')],
    ['a status that is true', { status: true }, invalid('`status`')],
    ['an unknown field', { event: ['email.sent'] }, invalid('Did you mean `events`?')],
    ['a secret of its own', { signing_secret: 'whsec_x' }, invalid('`signing_secret`')],
    ...BAD_ENDPOINTS.map(([what, endpoint]): [string, object, Refusal] => [
      `an endpoint that is ${what}`,
      { endpoint },
      invalid('`endpoint`'),
    ]),
    ...BAD_EVENTS.map(([what, events]): [string, object, Refusal] => [
      `events that are ${what}`,
      { events },
      invalid('`events'),
    ]),
  ])('refuses %s, and so does a change', async (_, fields, refusal) => {
    const whole = { endpoint: HTTPS, events: ['email.sent'], ...fields };
    await refuse(['POST', '/webhooks', { body: whole }], refusal);
    if (refusal.name === 'missing_required_field') return;
    const line = ['PATCH', `/webhooks/${(await any()).id}`, { body: fields }] as const;
    await refuse(line, refusal);
  });

  it('limits an account to ten, also for concurrent requests', async () => {
    const token = await fresh();
    const body = { endpoint: HTTPS, events: ['email.sent'] };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => host.request('POST', '/webhooks', { body, token })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(10).fill(422)]);
    const { data } = (await host.request<ListBody>('GET', '/webhooks', { token })).body;
    expect(data).toHaveLength(10);
    await refuse(['POST', '/webhooks', { body, token }], invalid('10 webhooks'));
    await host.request('DELETE', `/webhooks/${data[4]?.id}`, { token });
    await create({}, token);
  });
});

describe('GET /webhooks', () => {
  it('lists all, newest first, without their secrets, and in pages', async () => {
    const token = await fresh();
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.unshift((await create({ endpoint: `${HTTPS}/${n}` }, token)).id);
    const { body } = await host.request<ListBody>('GET', '/webhooks', { token });
    expect(body).toEqual({
      object: 'list',
      has_more: false,
      data: ids.map((id, at) => ({
        id,
        created_at: TIME,
        status: 'enabled',
        endpoint: `${HTTPS}/${3 - at}`,
        events: ['email.delivered'],
      })),
    });
    const page = async (query: string) => {
      const list = (await host.request<ListBody>('GET', `/webhooks?${query}`, { token })).body;
      return [list.data.map(({ id }) => ids.indexOf(id)), list.has_more];
    };
    expect(await page('limit=2')).toEqual([[0, 1], true]);
    expect(await page(`limit=2&after=${ids[1]}`)).toEqual([[2, 3], false]);
    expect(await page(`limit=2&before=${ids[3]}`)).toEqual([[1, 2], true]);
    for (const query of ['limit=0', 'limit=101', 'after=x', `after=${randomUUID()}`, `before=${randomUUID()}`]) {
      const line = ['GET', `/webhooks?${query}`, { token }] as const;
      await refuse(line, invalid(`\`${query.split('=')[0]}\``));
    }
  });
});

describe('/webhooks/:id', () => {
  it('shows it with its secret, each time', async () => {
    const token = await fresh();
    const { id, signing_secret } = await create({ events: ['email.sent', 'contact.created'] }, token);
    const shown = {
      object: 'webhook',
      id,
      created_at: TIME,
      status: 'enabled',
      endpoint: HTTPS,
      events: ['email.sent', 'contact.created'],
      signing_secret,
    };
    expect(await show(id, token)).toEqual(shown);
    expect(await show(id.toUpperCase(), token)).toEqual(shown);
  });

  it('changes only named fields', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    let shown = await show(id, token);
    for (const [fields, changes] of [
      [{ endpoint: `${HTTPS}/other` }, { endpoint: `${HTTPS}/other` }],
      [{ events: ['email.bounced', 'email.bounced'] }, { events: ['email.bounced'] }],
      [{ status: 'disabled' }, { status: 'disabled' }],
      [
        { endpoint: HTTPS, events: ['email.sent'], status: 'enabled' },
        { endpoint: HTTPS, events: ['email.sent'], status: 'enabled' },
      ],
      [{}, {}],
      [{ endpoint: null, events: [], status: '' }, {}],
      [{ id }, {}],
      [{ webhook_id: id.toUpperCase(), id: null }, {}],
    ]) {
      const answer = await change(id, fields as object, token);
      expect([answer.status, answer.body]).toEqual([200, { object: 'webhook', id }]);
      shown = { ...shown, ...changes };
      expect(await show(id, token)).toEqual(shown);
    }
    for (const field of ['id', 'webhook_id']) {
      for (const other of [randomUUID(), 'x', 7]) {
        const line = ['PATCH', `/webhooks/${id}`, { body: { [field]: other }, token }] as const;
        await refuse(line, invalid(`\`${field}\``));
      }
    }
  });

  it('that is locked is shown, and does not block a change for long', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    const client = new pg.Client({ connectionString: host.databaseUrl });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM nestjs_emails.webhooks WHERE id = $1 FOR UPDATE', [id]);
      const refused = routesOf(id).slice(1, 4);
      const answers = await Promise.all(refused.map(([method, path, options]) => host.request(method, path, options)));
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 503,
          headers: { 'retry-after': '5' },
          body: { name: 'application_error' },
        });
      }
      expect(await show(id, token)).toMatchObject({ id, status: 'enabled' });
    } finally {
      await client.end();
    }
    expect((await change(id, { status: 'disabled' }, token)).status).toBe(200);
  });

  it('serialises two concurrent changes', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    const answers = await Promise.all([
      ...['email.sent', 'email.opened'].map((type) => change(id, { events: [type] }, token)),
      ...['disabled', 'enabled', 'disabled', 'enabled'].map((status) => change(id, { status }, token)),
      ...Array.from({ length: 20 }, (_, n) => change(id, { endpoint: `${HTTPS}/${n}` }, token)),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { events, status } = (await show(id, token)) as { events: string[]; status: string };
    const subscribed = await host.query('SELECT types FROM nestjs_emails.event_subscriptions WHERE key = $1', [id]);
    const types = events.map((type) => type.replace('email.', ''));
    expect(subscribed).toEqual(status === 'enabled' ? [{ types }] : []);
  });

  it('is deleted with its subscription', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    const { body } = await host.request('DELETE', `/webhooks/${id.toUpperCase()}`, { token, body: {} });
    expect(body).toEqual({ object: 'webhook', id, deleted: true });
    expect(await host.query('SELECT FROM nestjs_emails.event_subscriptions WHERE key = $1', [id])).toEqual([]);
    for (const [method, path, options] of routesOf(id)) await refuse([method, path, { ...options, token }], NOT_FOUND);
    expect((await host.request<ListBody>('GET', '/webhooks', { token })).body.data).toEqual([]);
  });

  it('of another account, and at an id that nothing has, is not found', async () => {
    const { id } = await create();
    const token = (await host.account('another')).token;
    for (const missing of [id, randomUUID()]) {
      for (const [method, path, options] of routesOf(missing))
        await refuse([method, path, { ...options, token }], NOT_FOUND);
    }
    await refuse(['GET', `/webhooks?after=${id}`, { token }], invalid('`after`'));
    expect((await host.request<ListBody>('GET', '/webhooks', { token })).body.data).toEqual([]);
    const gone = await host.request<{ message: string }>('GET', `/webhooks/${randomUUID()}`);
    expect(gone.body.message).toBe('Webhook not found');
  });

  it.each(['none', '1', "x'--", '%00', 'a'.repeat(300), `${randomUUID()}0`])('has no id %s', async (id) => {
    for (const line of routesOf(id)) await refuse(line, NO_ID);
  });

  it('needs a key with full access', async () => {
    const { id } = await create();
    const key = { name: 'sending', permission: 'sending_access' };
    const sending = (await host.request<{ token: string }>('POST', '/api-keys', { body: key })).body.token;
    const lines = [...routesOf(id), ['GET', '/webhooks', {}], ['POST', '/webhooks', { body: {} }]] as const;
    for (const [method, path, options] of lines) {
      for (const [token, name] of [
        [sending, 'restricted_api_key'],
        ['re_unknown_key', 'invalid_api_key'],
        [null, 'missing_api_key'],
      ] as const) {
        const refusal = { status: 401, name, message: '' };
        await refuse([method, path, { ...options, token }], refusal);
      }
    }
  });

  it('accepts an ignored body, and a content type without a body', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    const headers = { 'content-type': 'application/json' };
    for (const options of [{ body: {} }, { body: 'no JSON' }, { headers }]) {
      for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/events`])
        expect((await host.request('GET', path, { ...options, token })).status).toBe(200);
      const rotate = `/webhooks/${id}/signing-secret/rotate`;
      expect((await host.request('POST', rotate, { ...options, token })).status).toBe(200);
    }
  });
});

describe('the signing secret', () => {
  const secretsOf = async (id: string) => {
    const [row] = await host.query<{ secrets: { key: string; sealed: string; until: string | null }[] }>(
      'SELECT secrets FROM nestjs_emails.webhooks WHERE id = $1',
      [id],
    );
    return row?.secrets ?? [];
  };
  const rotate = (id: string, token: string) =>
    host.request<Made>('POST', `/webhooks/${id}/signing-secret/rotate`, { token });

  it('is encrypted in the table', async () => {
    const { id, signing_secret: secret } = await create({}, await fresh());
    const [{ row = '' } = {}] = await host.query<{ row: string }>(
      'SELECT w::text AS row FROM nestjs_emails.webhooks w WHERE id = $1',
      [id],
    );
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    for (const form of [
      secret,
      secret.slice(6),
      bytes.toString('hex'),
      Buffer.from(secret).toString('base64').slice(0, 40),
    ])
      expect(row).not.toContain(form);
    const [stored] = await secretsOf(id);
    expect(Buffer.from(stored?.sealed ?? '', 'base64').includes(bytes)).toBe(false);
    expect(host.output).not.toContain(secret);
  });

  it('of one webhook is useless in the row of another', async () => {
    const token = await fresh();
    const [one, other] = [await create({}, token), await create({}, token)];
    await host.query(
      'UPDATE nestjs_emails.webhooks SET secrets = (SELECT secrets FROM nestjs_emails.webhooks WHERE id = $1) WHERE id = $2',
      [one.id, other.id],
    );
    expect((await host.request('GET', `/webhooks/${other.id}`, { token })).status).toBe(500);
  });

  it('is rotated, and up to two old ones also sign until they expire', async () => {
    const token = await fresh();
    const { id, signing_secret: first } = await create(
      { endpoint: listenAt('/rotated'), events: ['email.scheduled'] },
      token,
    );
    const secrets = [first];
    const ends: (string | null | undefined)[] = [];
    for (let n = 0; n < 3; n++) {
      const { status, body } = await rotate(id, token);
      expect([status, body]).toEqual([200, { object: 'webhook', id, signing_secret: SECRET }]);
      secrets.unshift(body.signing_secret);
      expect(await show(id, token)).toMatchObject({ signing_secret: body.signing_secret });
      const stored = await secretsOf(id);
      ends.unshift(stored[1]?.until);
    }
    expect(new Set(secrets).size).toBe(4);
    const stored = await secretsOf(id);
    expect(stored.map(({ until: end }) => end)).toEqual([null, ends[0], ends[1]]);
    for (const end of ends) expect(Math.abs(Date.parse(end ?? '') - Date.now() - 86_400_000)).toBeLessThan(600_000);
    const signatures = async (count: number) => {
      const before = got['/rotated']?.length ?? 0;
      await happen(token);
      await until(() => (got['/rotated']?.length ?? 0) > before, { what: 'a request' });
      const headers = got['/rotated']?.at(-1)?.headers ?? {};
      expect(headers['svix-signature']).toBe(headers['webhook-signature']);
      expect(String(headers['svix-signature']).split(' ')).toHaveLength(count);
    };
    await signatures(3);
    await host.query(
      `UPDATE nestjs_emails.webhooks SET secrets = jsonb_set(secrets, '{1,until}', to_jsonb(now() - interval '1 s')) WHERE id = $1`,
      [id],
    );
    await signatures(2);
  });

  it('rotated by many at once is the last one returned', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(id, token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const told = answers.map(({ body }) => body.signing_secret);
    expect(told).toContain((await show(id, token)).signing_secret);
    expect(await secretsOf(id)).toHaveLength(3);
  });
});

describe('the log', () => {
  it('has the exact payload, and the answer', async () => {
    const token = await fresh();
    const { id } = await create({ endpoint: listenAt('/logged'), events: ['email.scheduled'] }, token);
    const emailId = await happen(token);
    const event = await untilLogged(id, token, 'success');
    expect(await log(id, token)).toEqual({
      object: 'list',
      has_more: false,
      data: [
        {
          ...{ id: MESSAGE, type: 'email.scheduled', created_at: INSTANT, status: 'success' },
          ...{ attempts: 1, email_id: emailId, recipient: 'b@to.test' },
        },
      ],
    });
    const path = `/webhooks/${id}/events/${event.id}`;
    const { body } = await host.request('GET', path, { token });
    const payload = {
      type: 'email.scheduled',
      created_at: event.created_at,
      data: expect.objectContaining({ email_id: emailId }),
    };
    expect(body).toEqual({ object: 'webhook_event', ...event, next_attempt_at: null, payload });
    expect(body.payload).toEqual(JSON.parse(got['/logged']?.[0]?.body ?? ''));
    expect(got['/logged']?.[0]?.headers['svix-id']).toBe(event.id);
    const attempts = (await host.request('GET', `${path}/attempts`, { token })).body;
    expect(attempts).toEqual({
      object: 'list',
      has_more: false,
      data: [
        {
          id: expect.stringMatching(/^atmpt_[A-Za-z0-9]{27}$/),
          http_status_code: 200,
          response: 'thank you',
          sent_at: INSTANT,
        },
      ],
    });
  });

  it('shows the next attempt, the reason of a missing answer, and the end of attempts', async () => {
    const token = await fresh();
    const { id } = await create({ endpoint: 'http://127.0.0.1:1024/', events: ['email.scheduled'] }, token);
    await happen(token);
    const event = await untilLogged(id, token, 'attempting');
    const path = `/webhooks/${id}/events/${event.id}`;
    const { body } = await host.request('GET', path, { token });
    expect(body).toMatchObject({ status: 'attempting', next_attempt_at: INSTANT });
    expect((await host.request<ListBody>('GET', `${path}/attempts`, { token })).body.data[0]).toMatchObject({
      http_status_code: 0,
      response: 'connection refused',
    });
    await host.query('UPDATE nestjs_emails.webhook_events SET attempts = 7, due_at = now() WHERE webhook_id = $1', [
      id,
    ]);
    await untilLogged(id, token, 'failed');
    expect((await host.request('GET', path, { token })).body).toMatchObject({
      status: 'failed',
      next_attempt_at: null,
    });
  });

  it('has all events after the creation of the webhook, and none from before the request for it', async () => {
    const token = await fresh();
    const accepted: { id: string; from: number; to: number }[] = [];
    let isOver = false;
    const accept = async () => {
      while (!isOver) {
        const from = performance.now();
        const id = await happen(token);
        accepted.push({ id, from, to: performance.now() });
      }
    };
    const accepting = Promise.all([accept(), accept(), accept()]);
    await until(() => accepted.length > 5, { what: 'emails before' });
    const asked = performance.now();
    const { id } = await create({ endpoint: listenAt('/since'), events: ['email.scheduled'] }, token);
    const answered = performance.now();
    await until(() => accepted.filter(({ from }) => from > answered).length > 5, { what: 'emails after' });
    isOver = true;
    await accepting;
    const told = () => new Set(got['/since']?.map(({ body }) => JSON.parse(body).data.email_id));
    const after = accepted.filter(({ from }) => from > answered).map((email) => email.id);
    await until(() => after.every((email) => told().has(email)), { what: 'all that came after' });
    await until(async () => (await log(id, token)).data.every(({ status }) => status === 'success'));
    for (const { id: email } of accepted.filter(({ to }) => to < asked)) expect(told()).not.toContain(email);
    expect(got['/since']).toHaveLength(told().size);
  });

  it('replays a delivered or failed event; its schedule ends with success, and continues after failure', async () => {
    const token = await fresh();
    const answers = [500, 500, 200];
    const { id } = await create({ endpoint: listenAt('/replayed', ...answers), events: ['email.scheduled'] }, token);
    await happen(token);
    const event = await untilLogged(id, token, 'attempting');
    const path = `/webhooks/${id}/events/${event.id}`;
    const due = 'UPDATE nestjs_emails.webhook_events SET due_at = $2 WHERE webhook_id = $1';
    await host.query(due, [id, new Date(Date.now() + 3_600_000)]);
    const next = (await host.request('GET', path, { token })).body.next_attempt_at;
    const replay = async () => {
      const before = await attempts();
      const { status, body } = await host.request('POST', `${path}/replay`, { token, body: {} });
      expect([status, body]).toEqual([200, { object: 'webhook_event', id: event.id }]);
      await until(async () => (await attempts()) > before, { what: 'another attempt' });
    };
    const attempts = async () => (await host.request<ListBody>('GET', `${path}/attempts`, { token })).body.data.length;
    await replay();
    expect((await host.request('GET', path, { token })).body).toMatchObject({
      status: 'attempting',
      next_attempt_at: next,
    });
    await replay();
    expect((await host.request('GET', path, { token })).body).toMatchObject({
      status: 'success',
      next_attempt_at: null,
    });
    await replay();
    expect(got['/replayed']?.map(({ headers }) => headers['svix-id'])).toEqual(Array(4).fill(event.id));
    const page = async (query: string) =>
      (await host.request<ListBody>('GET', `${path}/attempts${query}`, { token })).body;
    const all = (await page('')).data.map((attempt) => attempt.id);
    expect(all).toHaveLength(4);
    const first = await page('?limit=3');
    expect([first.data.map((attempt) => attempt.id), first.has_more]).toEqual([all.slice(0, 3), true]);
    const rest = await page(`?after=${all[2]}`);
    expect([rest.data.map((attempt) => attempt.id), rest.has_more]).toEqual([all.slice(3), false]);
    for (const query of ['before=x', 'after=x', `after=atmpt_${'a'.repeat(27)}`, 'limit=0']) {
      const line = ['GET', `${path}/attempts?${query}`, { token }] as const;
      await refuse(line, invalid(`\`${query.split('=')[0]}\``));
    }
  });

  it('is replayed in spite of many pending replays of another one', async () => {
    const token = await fresh();
    const { id } = await create({ endpoint: listenAt('/beside'), events: ['email.scheduled'] }, token);
    await happen(token);
    const event = await untilLogged(id, token, 'success');
    const stuck = '00000000-0000-4000-8000-000000000001';
    await host.query(
      `INSERT INTO nestjs_emails.webhooks (id, account_id, endpoint, events, status, secrets)
       SELECT $1, account_id, endpoint, events, status, '[{"key": "unknown", "sealed": "", "until": null}]'
       FROM nestjs_emails.webhooks WHERE id = $2`,
      [stuck, id],
    );
    await host.query(
      `INSERT INTO nestjs_emails.webhook_events
         (webhook_id, account_id, event_id, type, created_at, payload_id, due_at, status, replays)
       SELECT id, account_id, 'msg_' || lpad(n::text, 27, '0'), 'email.sent', now(), 0, NULL, 'success', 1
       FROM nestjs_emails.webhooks, generate_series(1, 1100) AS n WHERE id = $1`,
      [stuck],
    );
    await host.request('POST', `/webhooks/${id}/events/${event.id}/replay`, { token });
    await until(() => got['/beside']?.length === 2, { what: 'the second request' });
  });

  it('lists the newest first, in pages', async () => {
    const token = await fresh();
    const { id } = await create({}, token);
    await host.query(
      `INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id, due_at, status)
       SELECT id, account_id, 'msg_' || lpad(n::text, 27, '0'), 'email.delivered', now(), 0, NULL, 'success'
       FROM nestjs_emails.webhooks, generate_series(1, 25) AS n WHERE id = $1 ORDER BY n`,
      [id],
    );
    const page = async (query: string) => {
      const { data, has_more } = await log(id, token, query);
      return [data.map((event) => Number(event.id.slice(4))), has_more];
    };
    expect(await page('')).toEqual([Array.from({ length: 20 }, (_, n) => 25 - n), true]);
    expect(await page('?limit=2')).toEqual([[25, 24], true]);
    expect(await page(`?limit=100&after=msg_${'21'.padStart(27, '0')}`)).toEqual([
      Array.from({ length: 20 }, (_, n) => 20 - n),
      false,
    ]);
    expect(await page(`?after=msg_${'1'.padStart(27, '0')}`)).toEqual([[], false]);
    const known = `msg_${'3'.padStart(27, '0')}`;
    for (const query of [
      `before=${known}`,
      'before=',
      'after=',
      'after=x',
      `after=msg_${'x'.repeat(27)}`,
      'limit=0',
      'limit=101',
      `after=${known}&before=${known}`,
    ]) {
      const line = ['GET', `/webhooks/${id}/events?${query}`, { token }] as const;
      await refuse(line, invalid(/^`(before|after|limit)`/));
    }
  });

  it.each([
    'none',
    'msg_',
    `msg_${'a'.repeat(26)}`,
    `msg_${'a'.repeat(28)}`,
    randomUUID(),
    '%00',
    "'--",
    'a'.repeat(300),
  ])('has no event %s', async (event) => {
    const { id } = await any();
    for (const line of routesOf(id, event).slice(5)) await refuse(line, NOT_FOUND);
  });

  it('shows no event of another webhook of the account', async () => {
    const token = await fresh();
    const [one, other] = [await create({}, token), await create({}, token)];
    const event = `msg_${'b'.repeat(27)}`;
    await host.query(
      `WITH stored AS (
         INSERT INTO nestjs_emails.webhook_payloads (account_id, event_id, body)
         SELECT account_id, $2, '{}' FROM nestjs_emails.webhooks WHERE id = $1 RETURNING id, account_id)
       INSERT INTO nestjs_emails.webhook_events (webhook_id, account_id, event_id, type, created_at, payload_id, due_at)
       SELECT $1, account_id, $2, 'email.delivered', now(), id, NULL FROM stored`,
      [one.id, event],
    );
    expect((await host.request('GET', `/webhooks/${one.id}/events/${event}`, { token })).status).toBe(200);
    for (const [method, path, options] of routesOf(other.id, event).slice(5))
      await refuse([method, path, { ...options, token }], NOT_FOUND);
    const line = ['GET', `/webhooks/${other.id}/events?after=${event}`, { token }] as const;
    await refuse(line, invalid('`after`'));
  });
});

describe('a log of more than 30 days', () => {
  it('is deleted, except pending events', async () => {
    const token = await fresh();
    const sent = await create({ endpoint: listenAt('/old'), events: ['email.scheduled'] }, token);
    const waiting = await create({ endpoint: listenAt('/down', 500), events: ['email.scheduled'] }, token);
    await happen(token);
    await untilLogged(sent.id, token, 'success');
    await untilLogged(waiting.id, token, 'attempting');
    await host.query("UPDATE nestjs_emails.webhook_events SET recorded_at = now() - interval '31 days'");
    await host.restart();
    await until(async () => (await log(sent.id, token)).data.length === 0, { what: 'the old log to go' });
    expect((await log(waiting.id, token)).data).toHaveLength(1);
  });
});

describe('a webhook that is disabled', () => {
  it('drops waiting events and keeps its log; enabled, it starts again', async () => {
    const token = await fresh();
    const { id } = await create({ endpoint: listenAt('/disabled', 500, 200), events: ['email.scheduled'] }, token);
    await happen(token);
    const event = await untilLogged(id, token, 'attempting');
    await change(id, { status: 'disabled' }, token);
    const path = `/webhooks/${id}/events/${event.id}`;
    expect((await host.request('GET', path, { token })).body).toMatchObject({
      status: 'failed',
      next_attempt_at: null,
    });
    // Its next attempt would be due by now, so that a worker drops it and has nothing more to write.
    await host.query(
      'UPDATE nestjs_emails.webhook_events SET due_at = now() WHERE webhook_id = $1 AND due_at > now()',
      [id],
    );
    await refuse(['POST', `${path}/replay`, { token }], invalid('disabled'));
    await happen(token);
    await change(id, { status: 'enabled' }, token);
    const [row] = await host.query('SELECT failing_from, failing_since FROM nestjs_emails.webhooks WHERE id = $1', [
      id,
    ]);
    expect(row).toEqual({ failing_from: null, failing_since: null });
    const next = await happen(token);
    const sent = await untilLogged(id, token, 'success');
    expect((await log(id, token)).data).toHaveLength(2);
    expect(got['/disabled']?.map(({ headers }) => headers['svix-id'])).toEqual([event.id, sent.id]);
    expect(got['/disabled']?.at(-1)?.body).toContain(next);
  });

  it('and enabled again gets later replays, though the rest of its log was dropped', async () => {
    const token = await fresh();
    const { id } = await create({ endpoint: listenAt('/dropped', 500, 500, 200), events: ['email.scheduled'] }, token);
    await happen(token);
    await untilLogged(id, token, 'attempting');
    await happen(token);
    await until(() => got['/dropped']?.length === 2, { what: 'both requests' });
    await until(async () => (await log(id, token)).data.every(({ status }) => status === 'attempting'));
    const [event] = (await log(id, token)).data;
    await change(id, { status: 'disabled' }, token);
    await change(id, { status: 'enabled' }, token);
    const path = `/webhooks/${id}/events/${event?.id}`;
    const { status } = await host.request('POST', `${path}/replay`, { token });
    expect(status).toBe(200);
    await until(() => got['/dropped']?.length === 3, { what: 'the replay' });
    expect(got['/dropped']?.[2]?.headers['svix-id']).toBe(event?.id);
    await until(async () => (await host.request('GET', path, { token })).body.status === 'success');
    expect((await log(id, token)).data.map((one) => one.status)).toEqual(['success', 'failed']);
  });

  it('deleted during a request, gets nothing more and leaves no log', async () => {
    const token = await fresh();
    let release = () => {};
    const { id } = await create({ endpoint: `${receiver.url}/slow`, events: ['email.scheduled'] }, token);
    const arrived = new Promise<void>((resolve) => {
      receiver.routes['/slow'] = (_, response) => {
        release = () => response.writeHead(200).end();
        resolve();
      };
    });
    await happen(token);
    await arrived;
    expect((await host.request('DELETE', `/webhooks/${id}`, { token })).status).toBe(200);
    release();
    await happen(token);
    await eventually(async () => {
      const left = 'SELECT FROM nestjs_emails.event_outbox WHERE subscriber = $1';
      expect(await host.query(left, ['webhooks'])).toEqual([]);
    });
    expect(receiver.asked.filter((path) => path === '/slow')).toHaveLength(1);
    expect(await host.query('SELECT FROM nestjs_emails.webhook_attempts WHERE webhook_id = $1', [id])).toEqual([]);
  });
});

describe('SECRET_KEY', () => {
  it('may get one in front; without the old one the start warns, and nothing is sent before a rotation', async () => {
    const token = await fresh();
    const { id, signing_secret } = await create({ endpoint: listenAt('/keys'), events: ['email.scheduled'] }, token);
    const old = host.env.SECRET_KEY;
    host.env.SECRET_KEY = `${'n'.repeat(40)},${old}`;
    await host.restart();
    expect(await show(id, token)).toMatchObject({ signing_secret });
    expect(host.output).not.toContain('cannot be read');

    host.env.SECRET_KEY = 'l'.repeat(40);
    await host.restart();
    expect(host.output).toMatch(/The signing secrets of \d+ webhooks cannot be read.*`SECRET_KEY`/);
    const lost = await host.request<{ name: string; message: string }>('GET', `/webhooks/${id}`, { token });
    expect(lost).toMatchObject({
      status: 500,
      body: { name: 'application_error', message: expect.stringContaining('Rotate') },
    });
    expect((await host.request('GET', '/webhooks', { token })).status).toBe(200);
    await happen(token);
    const event = await untilLogged(id, token, 'pending');
    const healed = await host.request<Made>('POST', `/webhooks/${id}/signing-secret/rotate`, { token });
    expect(healed.status).toBe(200);
    await untilLogged(id, token, 'success');
    expect(await show(id, token)).toMatchObject({ signing_secret: healed.body.signing_secret });
    const attempts = await host.request<ListBody>('GET', `/webhooks/${id}/events/${event.id}/attempts`, { token });
    expect(attempts.body.data).toHaveLength(1);
    expect(String(got['/keys']?.[0]?.headers['svix-signature']).split(' ')).toHaveLength(1);
  });
});
