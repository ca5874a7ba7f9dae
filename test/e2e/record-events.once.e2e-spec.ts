import { until } from '../support/basics/wait-for.js';
import { type RunningHost, startHost } from '../support/hosts/host.js';

const TYPES = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.topics.updated',
  'topic.created',
  'topic.updated',
  'topic.deleted',
];
const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const TIMES = { created_at: INSTANT, updated_at: INSTANT };

interface Logged {
  id: string;
  type: string;
}

let host: RunningHost;

beforeAll(async () => {
  host = await startHost();
});

async function ask<T = { id: string }>(method: string, path: string, body?: object): Promise<T> {
  const { status, body: answer } = await host.request<T>(method, path, body ? { body } : {});
  expect({ status, answer }).toMatchObject({ status: method === 'POST' ? 201 : 200 });
  return answer;
}

/** Of what a webhook is told, the oldest first. */
async function toldOf(webhook: string, count: number): Promise<{ type: string; data: object }[]> {
  const list = async () => (await ask<{ data: Logged[] }>('GET', `/webhooks/${webhook}/events`)).data;
  await until(async () => (await list()).length >= count, { what: `${count} events` });
  const events = (await list()).reverse();
  return Promise.all(
    events.map(async ({ id, type }) => {
      const path = `/webhooks/${webhook}/events/${id}`;
      const { payload } = await ask<{ payload: { type: string; data: object } }>('GET', path);
      expect(payload).toEqual({ type, created_at: INSTANT, data: payload.data });
      return { type, data: payload.data };
    }),
  );
}

describe('contacts and topics', () => {
  it('are told of in the shapes of the contract, each change once, and nothing that changes nothing', async () => {
    const { id: webhook } = await ask('POST', '/webhooks', { endpoint: 'https://hooks.invalid/', events: TYPES });
    const { id: topicId } = await ask('POST', '/topics', { name: 'News', default_subscription: 'opt_in' });
    const topics = (subscription: string) => ({ topics: [{ id: topicId, subscription }] });
    await ask('POST', '/contacts', { email: 'jo@example.com', first_name: 'Jo', ...topics('opt_out') });
    for (const first_name of ['Joe', 'Joe']) await ask('PATCH', '/contacts/jo@example.com', { first_name });
    await ask('PATCH', '/contacts/jo@example.com', { properties: { plan: 'pro' } });
    for (const choice of ['opt_in', 'opt_in']) await ask('PATCH', '/contacts/jo@example.com/topics', topics(choice));
    for (const name of ['More', 'More']) await ask('PATCH', `/topics/${topicId}`, { name });
    await ask('PATCH', `/topics/${topicId}`, { visibility: 'public' });
    await ask('DELETE', '/contacts/jo@example.com');
    await ask('DELETE', `/topics/${topicId}`);

    const contact = {
      id: ID,
      audience_id: expect.any(String),
      segment_ids: [],
      email: 'jo@example.com',
      first_name: 'Jo',
      last_name: null,
      unsubscribed: false,
      ...TIMES,
    };
    const topic = {
      id: topicId,
      name: 'News',
      description: null,
      default_subscription: 'opt_in',
      deleted: false,
      ...TIMES,
    };
    const chosen = (subscription: string) => ({ email: 'jo@example.com', ...topics(subscription) });
    expect(await toldOf(webhook, 8)).toEqual([
      { type: 'topic.created', data: topic },
      { type: 'contact.created', data: contact },
      { type: 'contact.topics.updated', data: chosen('opt_out') },
      { type: 'contact.updated', data: { ...contact, first_name: 'Joe' } },
      { type: 'contact.topics.updated', data: chosen('opt_in') },
      { type: 'topic.updated', data: { ...topic, name: 'More' } },
      { type: 'contact.deleted', data: { ...contact, first_name: 'Joe' } },
      { type: 'topic.deleted', data: { ...topic, name: 'More', deleted: true } },
    ]);
  });
});
