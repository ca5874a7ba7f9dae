import type { EntityManager } from 'typeorm';
import type { HandedEvent } from '../../index.js';
import type { NewWebhookEvent } from '../storage/delivery.repository.js';
import { WebhookSubscription } from './webhook-subscription.js';

const manager = {} as EntityManager;
const WEBHOOKS = ['one', 'other'];

function event(number: number, text: string): HandedEvent['event'] {
  const data = { id: String(number), email: 'p@to.test', text };
  return { id: String(number), accountId: 'account', type: 'contact.created', createdAt: new Date(number), data };
}

/** Records of events that each go to two webhooks, by statement. */
async function recorded(count: number, text: string): Promise<(readonly NewWebhookEvent[])[]> {
  const groups: (readonly NewWebhookEvent[])[] = [];
  const repository = { record: async (_: EntityManager, group: readonly NewWebhookEvent[]) => void groups.push(group) };
  const events = Array.from({ length: count }, (_, n) => event(n, text));
  await new WebhookSubscription(repository, () => {}).handle(
    events.flatMap((one) => WEBHOOKS.map((key) => ({ key, event: one }))),
    manager,
  );
  return groups;
}

describe('WebhookSubscription', () => {
  it('records a payload once for all its webhooks', async () => {
    const [group = [], ...others] = await recorded(3, 'x');
    expect(others).toEqual([]);
    expect(group.map(({ webhookIds, people }) => ({ webhookIds, people }))).toEqual(
      Array(3).fill({ webhookIds: WEBHOOKS, people: ['p@to.test'] }),
    );
    expect(group.map(({ body }) => JSON.parse(body).data.id)).toEqual(['0', '1', '2']);
  });

  it('records up to 1 MB of payloads in one statement, all of them in order', async () => {
    const groups = await recorded(40, 'ü'.repeat(30_000));
    expect(groups.map((group) => group.length)).toEqual([16, 16, 8]);
    const ids = groups.flat().map(({ body }) => Number(JSON.parse(body).data.id));
    expect(ids).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  it('records nothing for no events', async () => {
    expect(await recorded(0, '')).toEqual([]);
  });
});
