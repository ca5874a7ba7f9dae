import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { PeriodicTask } from '../../shared/work/periodic-task.js';
import type { EventSubscription, HandedEvent } from '../ports/event-subscription.js';
import { FIRST_PLACE, type NextPlace, TooSlowError, type WaitingEvent } from '../storage/outbox/outbox.repository.js';
import { Handover, type HandoverStore } from './handover.js';

const manager = {} as EntityManager;

/** An outbox with `count` events, each of an email of its own. */
class Outbox implements HandoverStore {
  readonly putOffs: [id: string, longest: number][] = [];
  /** The accounts after which turns began. The account of each event is named like its id. */
  readonly turns: string[] = [];
  undecided = false;
  distributed = 0;
  ready: WaitingEvent[];

  constructor(count: number) {
    this.ready = Array.from({ length: count }, (_, at) => ({
      id: String(at),
      behind: false,
      xid: '1',
      handed: { key: '', event: { id: String(at) } } as HandedEvent,
    }));
  }

  readonly lookout = {} as HandoverStore['lookout'];
  look = async () => ({
    ...FIRST_PLACE,
    subscribed: true,
    undecided: this.undecided,
    ready: this.ready.length > 0,
    due: false,
    isOfAnother: false,
  });
  question = () => ({ sql: '', values: [] });
  inTurn = <T>(_: string, __: number, work: (manager: EntityManager) => Promise<T>) => work(manager);
  next = async (_: EntityManager, __: string, ___: string, limit: number, { lastAccount }: NextPlace) => {
    this.turns.push(lastAccount);
    const events = this.ready.slice(0, limit);
    return { events, more: this.ready.length >= limit, lastAccount: events.at(-1)?.id };
  };
  done = async (_: EntityManager, events: readonly WaitingEvent[]) => this.leave(events);
  putBehind = async (_: EntityManager, events: readonly WaitingEvent[]) => this.leave(events);
  putOff = async (event: WaitingEvent, longest: number) => {
    this.putOffs.push([event.id, longest]);
    this.leave([event]);
  };
  distribute = async () => {
    this.distributed++;
    this.undecided = false;
    return 1;
  };

  private leave(events: readonly WaitingEvent[]): void {
    this.ready = this.ready.filter((event) => !events.includes(event));
  }
}

const background = { spend: async () => {} };
let warnings: ReturnType<typeof jest.spyOn>;

beforeEach(() => {
  warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
});
afterEach(() => jest.restoreAllMocks());

/** Returns the events that were handed over until nothing was left, and the number of calls. */
async function handOverAll(outbox: Outbox, fails: (ids: readonly number[]) => Error | undefined) {
  const handedOver: number[] = [];
  let calls = 0;
  const committed = jest.fn();
  const subscription: EventSubscription = {
    name: 'name',
    handle: async (events) => {
      calls++;
      const ids = events.map(({ event }) => Number(event.id));
      const error = fails(ids);
      if (error) throw error;
      handedOver.push(...ids);
    },
    committed,
  };
  const handover = new Handover(outbox, subscription, background);
  while (await handover.step()) {}
  return { handedOver, calls, committed };
}

describe('Handover', () => {
  it('hands over up to 500 at once, in order', async () => {
    const { handedOver, calls, committed } = await handOverAll(new Outbox(1_200), () => undefined);
    expect(handedOver).toEqual(Array.from({ length: 1_200 }, (_, at) => at));
    expect([calls, committed.mock.calls.length]).toEqual([3, 3]);
  });

  it('puts off the failing event, logs no error text, and hands over all others in few calls', async () => {
    const outbox = new Outbox(600);
    const { handedOver, calls } = await handOverAll(outbox, (ids) =>
      ids.includes(300) ? new TypeError('canary') : undefined,
    );
    expect(handedOver).toHaveLength(599);
    expect(outbox.putOffs).toEqual([['300', 3_600_000]]);
    expect(calls).toBeLessThan(40);
    expect(warnings.mock.calls).toEqual([['The event subscription `name` failed: TypeError. It will be tried again.']]);
  });

  it('begins after the account of the last success, also while it divides a failing group', async () => {
    const outbox = new Outbox(4);
    await handOverAll(outbox, (ids) => (ids.includes(1) ? new Error('canary') : undefined));
    expect(outbox.putOffs.map(([id]) => id)).toEqual(['1']);
    // All, 0 and 1, and 0 alone; then 1 and 2, 1 alone, and 2; then 3.
    expect(outbox.turns).toEqual(['', '', '', '0', '0', '0', '2']);
  });

  it('hands over one at a time after a call that took too long', async () => {
    const sizes: number[] = [];
    await handOverAll(new Outbox(4), (ids) => {
      sizes.push(ids.length);
      return sizes.length === 1 ? new TooSlowError() : undefined;
    });
    expect(sizes).toEqual([4, 1, 2, 1]);
  });

  it('pauses after three consecutive failures, and puts events off for a minute at most', async () => {
    const outbox = new Outbox(1_000);
    const subscription: EventSubscription = { name: 'name', handle: () => Promise.reject(new Error('canary')) };
    const handover = new Handover(outbox, subscription, background);
    while (await handover.step()) {}
    expect(outbox.putOffs.map(([, longest]) => longest)).toEqual([3_600_000, 3_600_000, 60_000]);
    expect(outbox.ready).toHaveLength(997);
  });

  it('puts off events behind a delayed one, and drops those without a subscription', async () => {
    const outbox = new Outbox(3);
    outbox.ready[0] = { ...outbox.ready[0], behind: true } as WaitingEvent;
    outbox.ready[1] = { ...outbox.ready[1], handed: undefined } as WaitingEvent;
    const { handedOver } = await handOverAll(outbox, () => undefined);
    expect([handedOver, outbox.ready]).toEqual([[2], []]);
  });

  it('decides first which subscribers get an undecided event', async () => {
    const outbox = new Outbox(0);
    outbox.undecided = true;
    await handOverAll(outbox, () => undefined);
    expect(outbox.distributed).toBe(1);
  });

  it.each([
    [['bounced', 'failed'], 'sent', 0],
    [['bounced', 'failed'], 'failed', 1],
    [undefined, 'sent', 1],
  ] as const)('with the types %j looks after an event `%s` %i times', (types, type, looks) => {
    const woken = jest.spyOn(PeriodicTask.prototype, 'wake').mockImplementation(() => {});
    new Handover(new Outbox(0), { name: 'name', ...(types && { types }), handle: async () => {} }, background).wake([
      { type },
    ]);
    expect(woken).toHaveBeenCalledTimes(looks);
  });
});
