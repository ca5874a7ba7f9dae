import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventSubscription, HandedEvent } from '../ports/event-subscription.js';
import { FIRST_PLACE, type NextPlace, TooSlowError, type WaitingEvent } from '../storage/outbox.repository.js';
import { Handover, type HandoverStore } from './handover.js';

const manager = {} as EntityManager;

/** An outbox of so many events, each of an email of its own. */
class Outbox implements HandoverStore {
  readonly putOffs: [id: string, longest: number][] = [];
  /** The accounts after which turns began. Each event is of an account that has its id. */
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

/** What was told, after all that there was to do, and in how many calls. */
async function tellAll(outbox: Outbox, fails: (ids: readonly number[]) => Error | undefined) {
  const told: number[] = [];
  let calls = 0;
  const committed = jest.fn();
  const subscription: EventSubscription = {
    name: 'name',
    handle: async (events) => {
      calls++;
      const ids = events.map(({ event }) => Number(event.id));
      const error = fails(ids);
      if (error) throw error;
      told.push(...ids);
    },
    committed,
  };
  const handover = new Handover(outbox, subscription, background);
  while (await handover.step()) {}
  return { told, calls, committed };
}

describe('Handover', () => {
  it('tells up to 500 at once, in their order', async () => {
    const { told, calls, committed } = await tellAll(new Outbox(1_200), () => undefined);
    expect(told).toEqual(Array.from({ length: 1_200 }, (_, at) => at));
    expect([calls, committed.mock.calls.length]).toEqual([3, 3]);
  });

  it('puts off what fails alone, says so without what it failed with, and tells all others in few calls', async () => {
    const outbox = new Outbox(600);
    const { told, calls } = await tellAll(outbox, (ids) => (ids.includes(300) ? new TypeError('canary') : undefined));
    expect(told).toHaveLength(599);
    expect(outbox.putOffs).toEqual([['300', 3_600_000]]);
    expect(calls).toBeLessThan(40);
    expect(warnings.mock.calls).toEqual([['The event subscription `name` failed: TypeError. It will be tried again.']]);
  });

  it('begins after the account of the last success, also while it divides what fails', async () => {
    const outbox = new Outbox(4);
    await tellAll(outbox, (ids) => (ids.includes(1) ? new Error('canary') : undefined));
    expect(outbox.putOffs.map(([id]) => id)).toEqual(['1']);
    // All, 0 and 1, and 0 alone; then 1 and 2, 1 alone, and 2; then 3.
    expect(outbox.turns).toEqual(['', '', '', '0', '0', '0', '2']);
  });

  it('asks one at a time after a call that took too long', async () => {
    const sizes: number[] = [];
    await tellAll(new Outbox(4), (ids) => {
      sizes.push(ids.length);
      return sizes.length === 1 ? new TooSlowError() : undefined;
    });
    expect(sizes).toEqual([4, 1, 2, 1]);
  });

  it('rests when three fail one after the other, and puts them off for a minute at most', async () => {
    const outbox = new Outbox(1_000);
    const subscription: EventSubscription = { name: 'name', handle: () => Promise.reject(new Error('canary')) };
    const handover = new Handover(outbox, subscription, background);
    while (await handover.step()) {}
    expect(outbox.putOffs.map(([, longest]) => longest)).toEqual([3_600_000, 3_600_000, 60_000]);
    expect(outbox.ready).toHaveLength(997);
  });

  it('puts off what comes behind something that is put off, and tells nobody of what nobody subscribes to any more', async () => {
    const outbox = new Outbox(3);
    outbox.ready[0] = { ...outbox.ready[0], behind: true } as WaitingEvent;
    outbox.ready[1] = { ...outbox.ready[1], handed: undefined } as WaitingEvent;
    const { told } = await tellAll(outbox, () => undefined);
    expect([told, outbox.ready]).toEqual([[2], []]);
  });

  it('decides first who is told of what was left undecided', async () => {
    const outbox = new Outbox(0);
    outbox.undecided = true;
    await tellAll(outbox, () => undefined);
    expect(outbox.distributed).toBe(1);
  });
});
