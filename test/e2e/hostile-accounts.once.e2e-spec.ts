import { randomUUID } from 'node:crypto';
import { eventually } from '../support/basics/wait-for.js';
import { ContractHost, letter } from '../support/hosts/contract-host.js';
import { startHost } from '../support/hosts/host.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

type Attack = readonly [method: string, path: string, body?: object];

/** Objects of one account, by kind. */
interface Things {
  email: string;
  topic: string;
  contact: string;
  address: string;
  template: string;
  alias: string;
  key: string;
}

const ABSENT: Things = {
  email: randomUUID(),
  topic: randomUUID(),
  contact: randomUUID(),
  address: 'absent@absent.test',
  template: randomUUID(),
  alias: 'absent-alias',
  key: randomUUID(),
};

/** Every position in a request for an id, a cursor or a name of a stored object. */
const ATTACKS: readonly ((things: Things) => Attack)[] = [
  ...(['after', 'before'] as const).flatMap((cursor) => [
    ({ email }: Things): Attack => ['GET', `/emails?${cursor}=${email}`],
    ({ topic }: Things): Attack => ['GET', `/topics?${cursor}=${topic}`],
    ({ contact }: Things): Attack => ['GET', `/contacts?${cursor}=${contact}`],
    ({ template }: Things): Attack => ['GET', `/templates?${cursor}=${template}`],
    ({ key }: Things): Attack => ['GET', `/api-keys?${cursor}=${key}`],
  ]),
  ({ topic }) => ['GET', `/topics/${topic}`],
  ({ topic }) => ['PATCH', `/topics/${topic}`, { name: 'Taken' }],
  ({ topic }) => ['DELETE', `/topics/${topic}`],
  ...(['contact', 'address'] as const).flatMap((kind) => [
    (things: Things): Attack => ['GET', `/contacts/${things[kind]}`],
    (things: Things): Attack => ['PATCH', `/contacts/${things[kind]}`, { first_name: 'Taken' }],
    (things: Things): Attack => ['DELETE', `/contacts/${things[kind]}`],
    (things: Things): Attack => ['GET', `/contacts/${things[kind]}/topics`],
    (things: Things): Attack => ['PATCH', `/contacts/${things[kind]}/topics`, { topics: [] }],
  ]),
  ({ contact }) => ['PATCH', '/contacts/mine@to.test', { id: contact }],
  ({ address }) => ['PATCH', '/contacts/mine@to.test', { email: address }],
  ({ topic }) => ['PATCH', '/contacts/mine@to.test/topics', [{ id: topic, subscription: 'opt_out' }]],
  ({ topic }) => ['POST', '/contacts', { email: 'new@to.test', topics: [{ id: topic, subscription: 'opt_out' }] }],
  ...(['template', 'alias'] as const).flatMap((kind) => [
    (things: Things): Attack => ['GET', `/templates/${things[kind]}`],
    (things: Things): Attack => ['PATCH', `/templates/${things[kind]}`, { name: 'Taken' }],
    (things: Things): Attack => ['DELETE', `/templates/${things[kind]}`],
    (things: Things): Attack => ['POST', `/templates/${things[kind]}/publish`],
    (things: Things): Attack => ['POST', `/templates/${things[kind]}/duplicate`],
    (things: Things): Attack => ['POST', '/emails', letter({ text: undefined, template: { id: things[kind] } })],
  ]),
  ({ topic }) => ['POST', '/emails', letter({ topic_id: topic })],
  ({ key }) => ['PATCH', `/api-keys/${key}`, { name: 'Taken' }],
  ({ key }) => ['DELETE', `/api-keys/${key}`],
  ({ email }) => ['GET', `/emails/${email}`],
  ({ email }) => ['GET', `/emails/${email}/source`],
  ({ email }) => ['PATCH', `/emails/${email}`, { scheduled_at: '2098-01-01T00:00:00Z' }],
  ({ email }) => ['POST', `/emails/${email}/cancel`],
  ({ email }) => ['POST', `/emails/${email}/retry`],
];

/** Contract 1: objects of another account do not exist. */
describe('another account', () => {
  let api: ContractHost;
  let theirToken: string;
  let theirs: Things;

  async function create(path: string, body: object): Promise<string> {
    const answer = await api.host.request<{ id: string }>('POST', path, { body, token: theirToken });
    expect(Math.floor(answer.status / 100)).toBe(2);
    return answer.body.id;
  }

  /** Everything that the other account can see of its own. */
  async function theirState(): Promise<unknown[]> {
    const paths = ['/emails', '/topics', '/contacts', `/contacts/${theirs.contact}/topics`, '/templates'];
    const answers = await Promise.all(paths.map((path) => api.host.request('GET', path, { token: theirToken })));
    const keys = await api.host.query('SELECT id, account_id, revoked_at FROM nestjs_emails.api_keys ORDER BY id');
    return [...answers.map(({ body }) => body), keys];
  }

  beforeAll(async () => {
    api = await ContractHost.share();
    theirToken = (await api.host.account('other')).token;
    const [alias, address] = ['their-alias', 'theirs@to.test'];
    theirs = {
      email: await api.accept({ scheduled_at: '2099-01-01T00:00:00Z' }, { token: theirToken }),
      topic: await create('/topics', { name: 'Theirs', default_subscription: 'opt_in' }),
      contact: await create('/contacts', { email: address }),
      address,
      template: await create('/templates', { name: 'Theirs', alias, html: '<p>x</p>' }),
      alias,
      key: await create('/api-keys', { name: 'Theirs' }),
    };
    await api.host.request('POST', `/templates/${alias}/publish`, { token: theirToken });
    expect((await api.host.request('POST', '/contacts', { body: { email: 'mine@to.test' } })).status).toBe(201);
  });

  it.each(ATTACKS.map((attack) => [`${attack(ABSENT)[0]} ${templateOf(attack)}`, attack] as const))(
    'is hidden: %s answers like for an absent object',
    async (_, attack) => {
      const before = await theirState();
      const [known, unknown] = await Promise.all(
        [theirs, ABSENT].map(async (things) => {
          const [method, path, body] = attack(things);
          const answer = await api.host.request(method, path, { body });
          const { date, 'x-request-id': requestId, ...headers } = answer.headers;
          return { status: answer.status, headers, text: answer.text };
        }),
      );
      expect([404, 422]).toContain(known?.status);
      expect(known).toEqual(unknown);
      expect(await theirState()).toEqual(before);
    },
  );

  it('has separate lists', async () => {
    const mine = await api.accept({ scheduled_at: '2099-01-01T00:00:00Z' });
    for (const path of ['/emails', '/topics', '/contacts', '/templates', '/api-keys']) {
      const [ours, others] = await Promise.all(
        [api.host.token, theirToken].map((token) => api.host.request('GET', `${path}?limit=100`, { token })),
      );
      for (const id of Object.values(theirs)) expect(ours?.text).not.toContain(id);
      expect(others?.text).not.toContain(mine);
      expect(others?.text).not.toContain('mine@to.test');
    }
  });

  it('has separate names and idempotency keys', async () => {
    const headers = { 'idempotency-key': 'shared' };
    const later = { scheduled_at: '2099-01-01T00:00:00Z' };
    const ids = [
      await api.accept({ ...later, subject: 'Ours' }, { headers }),
      await api.accept({ ...later, subject: 'Theirs' }, { headers, token: theirToken }),
    ];
    expect(new Set(ids).size).toBe(2);
    const { status } = await api.host.request('POST', '/templates', { body: { name: 'Ours', alias: theirs.alias } });
    expect(status).toBe(201);
    expect((await api.host.request('POST', '/contacts', { body: { email: theirs.address } })).status).toBe(201);
  });
});

/** The path with kinds in place of ids, and the references of the body. */
function templateOf(attack: (things: Things) => Attack): string {
  const kinds = Object.fromEntries(Object.keys(ABSENT).map((kind) => [kind, kind.toUpperCase()])) as unknown as Things;
  const [, path, body] = attack(kinds);
  return `${path} ${body ? JSON.stringify(body).replace(/"(from|to|subject)":"[^"]*",?/g, '') : ''}`.trim();
}

it.each([
  ['long html', { html: '<b>a<i>&amp;'.repeat(8_000) }],
  [
    'many headers',
    { text: 'x', headers: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`X-${at}`, 'é '.repeat(300)])) },
  ],
])('a hundred emails with %s of one account do not delay the email of another', async (_, content) => {
  const sink = await SmtpSink.start();
  const host = await startHost({ smtp: sink });
  const { token } = await host.account('neighbour');
  const costly = Array.from({ length: 100 }, () => letter({ text: undefined, to: 'costly@to.test', ...content }));
  expect((await host.request('POST', '/emails/batch', { body: costly })).status).toBe(200);
  await host.request('POST', '/emails', { token, body: letter({ to: 'neighbour@to.test' }) });
  const to = () => sink.messages.map(({ envelope }) => envelope.to[0]);
  await eventually(() => expect(to()).toContain('neighbour@to.test'));
  expect(to().indexOf('neighbour@to.test')).toBeLessThan(60);
  await eventually(() => expect(to()).toHaveLength(101), { timeout: 60_000 });
});
