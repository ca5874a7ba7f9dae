import { letter } from '../support/hosts/contract-host.js';
import { FullHost } from '../support/hosts/full-host.js';
import { untilShown } from '../support/reading/deliveries.js';
import { httpRequest } from '../support/requests/http-request.js';
import { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

describe('all modules in one host', () => {
  let sink: SmtpSink;
  let host: FullHost;

  beforeAll(async () => {
    sink = await SmtpSink.start();
    host = await FullHost.start(sink);
  });

  async function created(path: string, body: object): Promise<string> {
    const answer = await host.request<{ id: string }>('POST', path, { body });
    expect([200, 201]).toContain(answer.status);
    return answer.body.id;
  }

  it('send a template to whoever did not opt out of a topic', async () => {
    const topic = await created('/topics', { name: 'News', default_subscription: 'opt_in' });
    await created('/contacts', { email: 'gone@to.test', topics: [{ id: topic, subscription: 'opt_out' }] });
    const variables = [{ key: 'NAME', type: 'string' }];
    const template = await created('/templates', {
      name: 'Welcome',
      subject: 'Welcome, {{NAME}}',
      html: '<p>{{NAME}}</p>',
      variables,
    });
    expect((await host.request('POST', `/templates/${template}/publish`)).status).toBe(200);
    const id = await created('/emails', {
      from: 'Sender <sender@from.test>',
      to: ['here@to.test', 'gone@to.test'],
      topic_id: topic,
      template: { id: template, variables: { NAME: 'Zoë' } },
    });
    await untilShown(host, id, 'delivered');
    const { envelope, raw } = await sink.waitFor((message) => message.raw.includes(`<${id}@`));
    expect(envelope.to).toEqual(['here@to.test']);
    expect(raw.toString()).not.toContain('gone@to.test');
  });

  it('know one another by accounts: a key of another finds nothing', async () => {
    const topic = await created('/topics', { name: 'Ours', default_subscription: 'opt_in' });
    const { token } = (await host.request<{ token: string }>('POST', '/api-keys', { body: { name: 'same account' } }))
      .body;
    expect((await host.request('GET', `/topics/${topic}`, { token })).status).toBe(200);
    for (const path of ['/emails', '/topics', '/contacts', '/templates', '/api-keys']) {
      expect(await httpRequest(host.url, 'GET', path, { token: null })).toMatchObject({
        status: 401,
        body: { name: 'missing_api_key' },
      });
    }
    const forbidden = { body: { name: 'may send', permission: 'sending_access' } };
    const sender = (await host.request<{ token: string }>('POST', '/api-keys', forbidden)).body.token;
    for (const path of ['/emails', '/topics', '/contacts', '/templates', '/api-keys']) {
      expect(await host.request('GET', path, { token: sender })).toMatchObject({
        status: 401,
        body: { name: 'restricted_api_key' },
      });
    }
    expect((await host.request('POST', '/emails', { token: sender, body: letter() })).status).toBe(200);
  });

  it('are not touched by its pipes, and answer as the contract says', async () => {
    expect(await host.request('POST', '/topics', { body: { name: 'x', surplus: 1 } })).toMatchObject({
      status: 422,
      body: { statusCode: 422, name: 'validation_error', message: expect.stringContaining('`surplus`') },
    });
    expect(await host.request('GET', '/contacts?limit=0')).toMatchObject({ status: 422 });
    const email = "o'neil&co@to.test";
    await created('/contacts', { email });
    expect(await host.request('GET', `/contacts/${email}`)).toMatchObject({ status: 200, body: { email } });
  });
});

it('all modules share one limit of requests', async () => {
  const host = await FullHost.start(await SmtpSink.start(), { RATE_LIMIT: '2' });
  const paths = ['/topics', '/contacts', '/templates', '/api-keys', '/emails'];
  const answers = await Promise.all([...paths, ...paths].map((path) => host.request('GET', path)));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(6);
});

it("one module alone is behind the host's own guard, whose users are accounts", async () => {
  const host = await FullHost.start(await SmtpSink.start(), { ONLY: 'contacts' });
  const { body } = await host.request('POST', '/contacts', { body: { email: 'friend@to.test' } });
  expect(body).toMatchObject({ object: 'contact' });
  const listed = async (user: string | undefined) =>
    host.request<{ data: object[] }>('GET', '/contacts', { headers: { 'x-user': user } });
  expect((await listed('jane')).body.data).toHaveLength(1);
  expect((await listed('joe')).body.data).toEqual([]);
  expect(await listed(undefined)).toMatchObject({ status: 401, body: { statusCode: 401 } });
  expect((await host.request('GET', '/emails')).status).toBe(404);
});
