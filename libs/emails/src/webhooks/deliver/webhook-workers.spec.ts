import { setImmediate } from 'node:timers/promises';
import type { EndpointClient } from '../../shared/net/endpoint-client.js';
import type { SealedSecrets } from '../secrets/sealed-secrets.js';
import type { DueWork, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import { WebhookWorkers } from './webhook-workers.js';

const ALL = Array.from({ length: 300 }, (_, n) => String(n).padStart(3, '0'));
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

describe('WebhookWorkers', () => {
  it('serves each of many webhooks in turn, though each has more to be sent and somebody else has the first ones', async () => {
    const others = ALL.slice(0, 60);
    const told = new Set<string>();
    const held = new Set<string>(others);
    let seq = 0;
    const repository: Partial<WebhookDeliveryRepository> = {
      findWork: async () => ALL.map((id) => ({ id, isDue: true })),
      findReplays: async () => [],
      watch: () => () => {},
      drop: async () => {},
      lease: async (ids, _, limit) => {
        const leased = ids.filter((id) => !held.has(id)).slice(0, limit);
        for (const id of leased) held.add(id);
        return leased.map((id) => ({ id, fence: 1, accountId: id }));
      },
      read: async ({ id }, limit): Promise<DueWork> => {
        await setImmediate();
        const event = { eventId: 'msg_x', payload: '{}', attempts: 0, replays: 0, replay: false, age: 0 };
        const events = limit > 0 ? [{ ...event, seq: String(seq++) }] : [];
        return { endpoint: id, secrets: [], isFailing: false, events };
      },
      release: async ({ id }) => void held.delete(id),
    };
    Object.assign(repository, { close: async (ends: readonly unknown[]) => ends.map(() => ({})) });
    const client: Partial<EndpointClient> = {
      post: async (endpoint) => {
        told.add(endpoint);
        return { status: 200, body: '', duration: 1 };
      },
      close: () => {},
    };
    const secrets: Partial<SealedSecrets> = { valid: () => [SECRET] };
    const workers = new WebhookWorkers(
      repository as WebhookDeliveryRepository,
      secrets as SealedSecrets,
      client as EndpointClient,
      {},
    );
    workers.onApplicationBootstrap();
    while (told.size < ALL.length - others.length) {
      workers.wake();
      await setImmediate();
    }
    await workers.beforeApplicationShutdown();
    expect([...told].toSorted()).toEqual(ALL.slice(others.length));
    expect([...held].toSorted()).toEqual(others);
  });
});
