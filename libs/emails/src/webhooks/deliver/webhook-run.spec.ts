import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { LeaseWrite } from '../../shared/work/lease-write.js';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import { CallError } from '../net/call-error.js';
import type { CallAnswer } from '../net/endpoint-call.js';
import { UnknownKeyError } from '../secrets/sealed-secrets.js';
import type { AttemptEnd, DueEvent, DueWork } from '../storage/delivery.repository.js';
import type { MessageRequest } from '../storage/webhook-messages.js';
import { EndpointWindows } from './endpoint-window.js';
import { MessageReader } from './message-reader.js';
import { RequestSlots } from './request-slots.js';
import { WebhookRun, type WebhookRunDependencies } from './webhook-run.js';

const WEBHOOK = { id: 'w', fence: 1, accountId: 'one' };
const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;
const SCHEDULE = [5_000, 300_000];
const ENDPOINT = 'https://hooks.test/';
const ANSWER: CallAnswer = { status: 200, body: 'ok', duration: 1 };

type Answer = Partial<CallAnswer> | CallError | Promise<Partial<CallAnswer>>;

/** One webhook in memory. */
class World {
  readonly ends: AttemptEnd[] = [];
  readonly sent: string[] = [];
  readonly notes: string[] = [];
  readonly given: string[] = [];
  due: DueEvent[] = [];
  holds = true;
  reads = 0;
  released = 0;
  /** Time for which it stays leased, although nothing was sent. */
  kept: number | undefined;
  atOnce = 0;
  highest = 0;
  answer: (eventId: string) => Answer = () => ANSWER;
  /** Result of a request that reads its content. */
  hand: (request: MessageRequest) => LeaseWrite = () => 'done';
  readonly windows = new EndpointWindows();

  readonly dependencies: WebhookRunDependencies = {
    repository: {
      read: async (_, limit, inProgress): Promise<DueWork> => {
        this.reads += 1;
        const events = this.due.filter(({ seq }) => !inProgress.includes(seq)).slice(0, limit);
        return { endpoint: ENDPOINT, secrets: [], isFailing: false, events };
      },
      release: async () => {
        this.released += 1;
        return 'done';
      },
      extend: async (_, duration) => {
        this.kept = duration;
        return ['done'];
      },
      noteSuccess: async () => void this.notes.push('success'),
      noteFailure: async () => {
        this.notes.push('failure');
        return this.given.length > 0;
      },
    },
    client: {
      post: async (_, { message }) => {
        const carried = await message();
        if (!carried) return undefined;
        const id = String(carried.headers['svix-id']);
        this.sent.push(id);
        this.highest = Math.max(this.highest, ++this.atOnce);
        try {
          const answer = await this.answer(id);
          if (answer instanceof CallError) throw answer;
          return { ...ANSWER, ...answer };
        } finally {
          this.atOnce -= 1;
        }
      },
    },
    secrets: { valid: () => [SECRET] },
    renewal: { hold: () => () => {}, holds: () => this.holds },
    retryPolicy: new RetryPolicy(SCHEDULE, Math.random, { min: 1, max: 1 }),
    messages: new MessageReader({
      send: async (requests) =>
        requests.map((request) => {
          const written = this.hand(request);
          if (written === 'done') request.send({ payload: '{}', secrets: [] });
          return written;
        }),
    }),
    slots: new RequestSlots(),
    windows: this.windows,
    background: { spend: async () => {} },
    record: async (end) => {
      this.ends.push(end);
      this.due = this.due.filter(({ seq }) => seq !== end.seq);
    },
    attempted: () => {},
    giveUp: async (_, reason) => void this.given.push(reason),
  };

  constructor(count: number, changes: Partial<DueEvent> = {}) {
    this.add(count, changes);
  }

  add(count: number, changes: Partial<DueEvent> = {}): void {
    const from = this.sent.length;
    for (let n = from; n < from + count; n++) {
      const event = { eventId: `msg_${n}`, attempts: 0, replays: 0, replay: false, age: 0 };
      this.due.push({ seq: String(n), ...event, ...changes });
    }
  }

  /** Its endpoint has answered quickly for a while. */
  warm(): this {
    const window = this.windows.of(WEBHOOK.id, ENDPOINT);
    for (let n = 0; n < 10; n++) window.begin()({ duration: 1, succeeded: true });
    return this;
  }

  run(): WebhookRun {
    return new WebhookRun(WEBHOOK, this.dependencies);
  }
}

async function turns(until: () => boolean): Promise<void> {
  while (!until()) await setImmediate();
}

describe('WebhookRun', () => {
  it('sends all due events in order, up to ten at once, and releases the lease', async () => {
    const world = new World(35);
    world.answer = () => setImmediate(ANSWER);
    await world.run().serve(0);
    expect(world.sent).toEqual(Array.from({ length: 35 }, (_, n) => `msg_${n}`));
    expect([world.highest, world.ends.length, world.released]).toEqual([10, 35, 1]);
  });

  it('sends new events while a slow request runs', async () => {
    const world = new World(1);
    world.answer = (id) => (id === 'msg_0' ? turns(() => world.ends.length > 0).then(() => ANSWER) : ANSWER);
    const run = world.run();
    const served = run.serve(0);
    await turns(() => world.sent.length === 1);
    world.add(1);
    run.wake();
    await served;
    expect(world.ends.map(({ seq }) => seq)).toEqual(['1', '0']);
  });

  it.each<[string, Answer, number, Partial<AttemptEnd>]>([
    ['200', { status: 200 }, 0, { succeeded: true, retryIn: null }],
    ['204', { status: 204 }, 0, { succeeded: true }],
    ['a redirect', { status: 302 }, 0, { succeeded: false, status: 302, retryIn: 5_000 }],
    ['500 once more', { status: 500 }, 1, { retryIn: 300_000 }],
    ['500 to the last attempt', { status: 500 }, 2, { retryIn: null, succeeded: false }],
    ['503 that asks for a minute', { status: 503, retryAfter: 60_000 }, 0, { retryIn: 60_000 }],
    ['429 that asks for a day', { status: 429, retryAfter: 86_400_000 }, 0, { retryIn: 3_600_000 }],
    ['503 that asks for no time', { status: 503, retryAfter: 0 }, 1, { retryIn: 300_000 }],
    ['500 that asks for a minute', { status: 500, retryAfter: 60_000 }, 0, { retryIn: 5_000 }],
    ['no answer', new CallError('timeout'), 0, { status: 0, response: 'timeout', retryIn: 5_000 }],
  ])('schedules the next attempt after a %s', async (_, answer, attempts, end) => {
    const world = new World(1, { attempts });
    world.answer = () => answer;
    await world.run().serve(0);
    expect(world.ends).toEqual([expect.objectContaining(end)]);
  });

  it('records a success next to a failure', async () => {
    const world = new World(2);
    world.answer = (id) => (id === 'msg_0' ? { status: 500 } : turns(() => world.notes.length > 0).then(() => ANSWER));
    await world.run().serve(0);
    expect(world.notes).toEqual(['failure', 'success']);
  });

  it('starts no more requests to an endpoint that is gone', async () => {
    const world = new World(30);
    world.answer = () => ({ status: 410 });
    await world.run().serve(0);
    expect(world.given).toContain('gone');
    expect(world.sent.length).toBeLessThanOrEqual(10);
  });

  it('starts nothing more when it must stop or lost the lease, and finishes the requests in progress', async () => {
    const endings: ((world: World, run: WebhookRun) => void)[] = [
      (_, run) => run.stop(),
      (world) => {
        world.holds = false;
      },
    ];
    for (const end of endings) {
      const world = new World(30).warm();
      let go = () => {};
      const gate = new Promise<Partial<CallAnswer>>((resolve) => {
        go = () => resolve(ANSWER);
      });
      world.answer = () => gate;
      const run = world.run();
      const served = run.serve(0);
      await turns(() => world.sent.length === 10);
      end(world, run);
      go();
      await served;
      expect([world.sent.length, world.ends.length, world.released]).toEqual([10, 10, 1]);
    }
  });

  it('sends nothing that it cannot sign, uses up no attempt, and pauses the webhook', async () => {
    const world = new World(1);
    world.dependencies.secrets = {
      valid: () => {
        throw new UnknownKeyError('unknown');
      },
    };
    await world.run().serve(0);
    expect([world.sent, world.ends, world.released, world.kept]).toEqual([[], [], 0, 50_000]);
  });

  it('stops when a result cannot be written', async () => {
    const world = new World(30);
    world.dependencies.record = () => Promise.reject(new Error('away'));
    await world.run().serve(0);
    expect(world.sent.length).toBeLessThanOrEqual(10);
    expect(world.released).toBe(1);
  });

  it('sends two at once to an unknown endpoint, and one when it does not answer', async () => {
    const world = new World(30);
    let go = () => {};
    const gate = new Promise<Partial<CallAnswer>>((resolve) => {
      go = () => resolve(ANSWER);
    });
    world.answer = () => gate;
    const run = world.run();
    const served = run.serve(0);
    await turns(() => world.sent.length === 2);
    expect(world.due).toHaveLength(30);
    run.stop();
    go();
    await served;
    const late = new World(3);
    late.windows.of(WEBHOOK.id, ENDPOINT).begin()({ duration: 15_000, succeeded: false });
    late.answer = () => turns(() => late.sent.length > 0).then(() => ({ status: 500 }));
    await late.run().serve(0);
    expect([late.highest, late.sent.length]).toEqual([1, 3]);
  });

  it.each<LeaseWrite>(['lost', 'locked'])(
    'makes no attempt for an event that is %s when the request could be sent, and checks again later',
    async (written) => {
      const world = new World(30);
      const passed = jest.spyOn(performance, 'now');
      const began = performance.now();
      world.hand = () => {
        passed.mockReturnValue(began + 60_000);
        return written;
      };
      await world.run().serve(0);
      passed.mockRestore();
      expect([world.sent, world.ends, world.released]).toEqual([[], [], 1]);
    },
  );

  it('waits for a locked row', async () => {
    const world = new World(1);
    const answers: LeaseWrite[] = ['locked', 'done'];
    world.hand = () => answers.shift() ?? 'lost';
    await world.run().serve(0);
    expect([world.sent, world.ends.length]).toEqual([['msg_0'], 1]);
  });

  it('reads the contents in the order of the events, though connections open in another', async () => {
    const world = new World(10).warm();
    const asked: string[] = [];
    world.hand = ({ seq }) => {
      asked.push(seq);
      return 'done';
    };
    const { post } = world.dependencies.client;
    let connected = 0;
    world.dependencies.client.post = async (url, call) => {
      const later = 10 - connected++;
      for (let turn = 0; turn < later; turn++) await setImmediate();
      return post(url, call);
    };
    await world.run().serve(0);
    expect(asked).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
  });

  it('continues with the next when a connection fails', async () => {
    const world = new World(2);
    const { post } = world.dependencies.client;
    let called = 0;
    world.dependencies.client.post = (url, call) =>
      ++called === 1 ? Promise.reject(new CallError('connection refused')) : post(url, call);
    await world.run().serve(0);
    expect(world.ends.map(({ seq, status }) => [seq, status])).toEqual([
      ['0', 0],
      ['1', 200],
    ]);
  });

  it('releases its lease after a first failure to do so', async () => {
    const world = new World(1);
    let tried = 0;
    world.dependencies.repository.release = async () => {
      tried++;
      if (tried === 1) throw new Error('away');
      return tried === 2 ? 'locked' : 'done';
    };
    await world.run().serve(0);
    expect(tried).toBe(3);
  });

  it('signs with the secrets valid at the time of sending, and pauses the webhook without readable ones', async () => {
    const world = new World(1);
    let asked = 0;
    world.dependencies.secrets = {
      valid: () => {
        if (++asked > 1) throw new UnknownKeyError('unknown');
        return [SECRET];
      },
    };
    await world.run().serve(0);
    expect([world.sent, world.ends, world.released, world.kept]).toEqual([[], [], 0, 50_000]);
  });
});
