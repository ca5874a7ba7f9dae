import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { EndpointClient } from '../net/endpoint-client.js';
import type { SealedSecrets } from '../secrets/sealed-secrets.js';
import type { DueWork, WebhookDeliveryRepository } from '../storage/delivery.repository.js';
import type { WebhookMessages } from '../storage/webhook-messages.js';
import { WebhookWorkers } from './webhook-workers.js';

const ALL = Array.from({ length: 800 }, (_, n) => String(n).padStart(3, '0'));
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** Webhooks in memory. The endpoint of each is its id, which starts with its account and a dot. */
class World {
  /** Webhooks that always have pending events. */
  busy: readonly string[] = [];
  readonly notified: string[] = [];
  readonly held: Set<string>;
  private seq = 0;
  readonly workers: WebhookWorkers;

  /** @param others webhooks that another process serves */
  constructor(
    others: readonly string[] = [],
    private readonly answer: (endpoint: string) => Promise<number | undefined> = () => setImmediate(undefined),
  ) {
    this.held = new Set(others);
    this.workers = new WebhookWorkers(
      this.repository as WebhookDeliveryRepository,
      this.messages as WebhookMessages,
      { valid: () => [SECRET] } as Partial<SealedSecrets> as SealedSecrets,
      this.client as EndpointClient,
      {},
    );
    this.workers.onApplicationBootstrap();
  }

  async turns(until: () => boolean): Promise<void> {
    while (!until()) {
      this.workers.wake();
      await setImmediate();
    }
  }

  private readonly repository: Partial<WebhookDeliveryRepository> = {
    findWork: async () => this.busy.map((id) => ({ id, isDue: true })),
    findReplays: async () => [],
    watch: () => () => {},
    drop: async () => {},
    lease: async (ids, _, limit) => {
      const leased = ids.filter((id) => !this.held.has(id)).slice(0, limit);
      for (const id of leased) this.held.add(id);
      return leased.map((id) => ({ id, fence: 1, accountId: id.split('.')[0] ?? '' }));
    },
    read: async ({ id }, limit): Promise<DueWork> => {
      await setImmediate();
      const event = { eventId: 'msg_x', attempts: 0, replays: 0, replay: false, age: 0 };
      const events = Array.from({ length: limit }, () => ({ ...event, seq: String(this.seq++) }));
      return { endpoint: id, secrets: [], isFailing: false, events };
    },
    release: async ({ id }) => {
      this.held.delete(id);
      return 'done';
    },
    extend: async (leases) => leases.map(() => 'done'),
    close: async (ends) => ends.map(() => ({})),
  };

  private readonly messages: Partial<WebhookMessages> = {
    send: async (requests) => {
      for (const { send } of requests) send({ payload: '{}', secrets: [] });
      return requests.map(() => 'done');
    },
  };

  private readonly client: Partial<EndpointClient> = {
    post: async (endpoint, { message }) => {
      await message();
      this.notified.push(endpoint);
      return { status: 200, body: '', duration: (await this.answer(endpoint)) ?? 1 };
    },
    close: () => {},
  };
}

describe('WebhookWorkers', () => {
  it('serves many webhooks in turn, though each has more to send and another process serves the first', async () => {
    const others = ALL.slice(0, 60);
    const world = new World(others);
    world.busy = ALL;
    const notified = () => new Set(world.notified);
    await world.turns(() => notified().size === ALL.length - others.length);
    await world.workers.beforeApplicationShutdown();
    expect([...notified()].toSorted()).toEqual(ALL.slice(others.length));
    expect([...world.held].toSorted()).toEqual(others);
  });

  it.each([
    [50, 1],
    [21, 10],
    [100, 10],
  ])('serves a responsive webhook while %d accounts with %d endpoints each hang', async (accounts, endpoints) => {
    let end = () => {};
    const over = new Promise<undefined>((resolve) => {
      end = () => resolve(undefined);
    });
    const hanging = Array.from({ length: accounts * endpoints }, (_, n) => `hang${n % accounts}.${n}`);
    const world = new World([], (endpoint) => (endpoint.startsWith('hang') ? over : setImmediate(undefined)));
    world.busy = ['quick.1'];
    const count = (start: string) => world.notified.filter((endpoint) => endpoint.startsWith(start)).length;
    await world.turns(() => count('quick') > 0);
    world.busy = [...hanging, 'quick.1'];
    // Until hardly more of them start. Each takes two requests if there are slots, as long as it is not known; 21 accounts
    // that come in turn get 126 of the 150 slots.
    await world.turns(() => count('hang') >= Math.min(2 * hanging.length, 120));
    const before = count('quick');
    await world.turns(() => count('quick') > before + 100);
    expect(count('hang')).toBeLessThanOrEqual(Math.min(2 * hanging.length, 250));
    end();
    await world.workers.beforeApplicationShutdown();
    expect(world.held.size).toBe(0);
  });

  it('serves a new webhook while a thousand others hang', async () => {
    const TIMEOUT = 15_000;
    const hanging = Array.from({ length: 1_000 }, (_, n) => `hang${n % 100}.${n}`);
    const underWay = new Map<() => void, number>();
    const clock = performance.now.bind(performance);
    let later = 0;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => clock() + later);
    const world = new World([], async (endpoint) => {
      if (!endpoint.startsWith('hang')) return setImmediate(undefined);
      await new Promise<void>((end) => underWay.set(end, later));
      return TIMEOUT;
    });
    const pass = async (time: number) => {
      later += time;
      for (const [end, began] of underWay) if (later - began >= TIMEOUT && underWay.delete(end)) end();
      let wakes = 0;
      await world.turns(() => wakes++ >= 10);
    };
    try {
      world.busy = hanging;
      while (later < 126_000) await pass(3_000);
      world.busy = [...hanging, 'new.1'];
      await pass(1_000);
      await pass(1_000);
      expect(world.notified).toContain('new.1');
    } finally {
      world.busy = [];
      later += TIMEOUT;
      const stopped = world.workers.beforeApplicationShutdown();
      for (const end of underWay.keys()) end();
      await stopped;
      now.mockRestore();
    }
  });
});
