import { jest } from '@jest/globals';
import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DelayedError } from 'bullmq';
import type { DeliveryJob } from '../queue/delivery-queue.js';
import { DeliveryProcessor, deliveryProcessorOf } from './delivery.processor.js';
import { DeliveryPlaces } from './delivery-places.js';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/**
 * A processor as Nest sets it up with a worker. The test ends each delivery and says how long its email has to wait.
 */
function processor(concurrency: number, isBulk = false) {
  const ends = new Map<string, { resolve: (wait?: number) => void; reject: (error: Error) => void }>();
  const deliver = jest.fn(
    (id: string, _isAhead: boolean) =>
      new Promise<number | undefined>((resolve, reject) => ends.set(id, { resolve, reject })),
  );
  const wakeAgain = jest.fn();
  const made = new DeliveryProcessor({ deliver } as never, { wakeAgain }, new DeliveryPlaces(concurrency), isBulk);
  const worker = { close: async () => {}, disconnect: jest.fn(async () => {}), closing: undefined, concurrency: 4 };
  return { ends, deliver, wakeAgain, worker, processor: Object.defineProperty(made, 'worker', { value: worker }) };
}

function jobOf(...[first = '', ...more]: string[]) {
  const data: DeliveryJob = { emailId: first, ...(more.length > 0 && { more: more.map((emailId) => ({ emailId })) }) };
  const job = { data, timestamp: Date.now(), opts: {} as { delay?: number } };
  return { ...job, updateData: jest.fn(async (_: DeliveryJob) => {}), moveToDelayed: jest.fn(async () => {}) };
}

describe('DeliveryProcessor', () => {
  it('works on the emails of a job in parallel, up to the concurrency, and ends when all have begun', async () => {
    const { ends, processor: works } = processor(2);
    let ended = false;
    const processed = works.process(jobOf('a', 'b', 'c') as never).then(() => (ended = true));
    await tick();
    expect([...ends.keys()]).toEqual(['a', 'b']);
    expect(ended).toBe(false);
    ends.get('b')?.resolve();
    await processed;
    expect([...ends.keys()]).toEqual(['a', 'b', 'c']);
    // A slow email does not keep the next job from starting.
    ends.get('c')?.resolve();
    await works.process(jobOf('old') as never);
    expect(ends.has('old')).toBe(true);
  });

  it('wakes each email that came too early again, in a job of its own', async () => {
    const { ends, wakeAgain, processor: works } = processor(5);
    await works.process(jobOf('a', 'b') as never);
    ends.get('a')?.resolve(300);
    ends.get('b')?.resolve();
    await works.finished();
    expect(wakeAgain.mock.calls).toEqual([['a', 300, false]]);
    const bulk = processor(1, true);
    await bulk.processor.process(jobOf('b') as never);
    bulk.ends.get('b')?.resolve(5);
    await bulk.processor.finished();
    expect(bulk.wakeAgain.mock.calls).toEqual([['b', 5, true]]);
  });

  it('returns the rest of a job soon if there are no places, and takes few jobs at a time then', async () => {
    const { ends, worker, processor: works } = processor(2);
    const job = jobOf('a', 'b', 'c', 'd');
    await expect(works.process(job as never, 'token')).rejects.toBeInstanceOf(DelayedError);
    expect(job.updateData.mock.calls).toEqual([[{ emailId: 'c', more: [{ emailId: 'd' }] }]]);
    expect(worker.concurrency).toBe(2);
    for (const { resolve } of ends.values()) resolve();
    await works.finished();
    await works.process(jobOf('c') as never);
    expect(worker.concurrency).toBe(4);
  });

  it('returns a job as it is if none of its emails has begun', async () => {
    const { processor: works } = processor(1);
    await works.process(jobOf('first') as never);
    const job = jobOf('a', 'b');
    await expect(works.process(job as never, 'token')).rejects.toBeInstanceOf(DelayedError);
    expect(job.moveToDelayed).toHaveBeenCalled();
    expect(job.updateData).not.toHaveBeenCalled();
  });

  it.each([
    [25, 3, 10],
    [25, 50, 100],
    [25, Number.POSITIVE_INFINITY, 320],
    [1, 3, 100],
    [1, Number.POSITIVE_INFINITY, 320],
  ])(
    'keeps a job of %i longer where places come slowly, and one email in any case, case %#',
    async (count, interval, patience) => {
      const give = jest.fn(async () => count);
      const places = { give, interval, areShort: false, waits: { isAhead: () => false } };
      const works = new DeliveryProcessor({} as never, {} as never, places as never, false);
      Object.defineProperty(works, 'worker', { value: {} });
      await works.process(jobOf(...Array.from({ length: count }, (_, n) => `e${n}`)) as never);
      expect(give.mock.calls).toEqual([[expect.objectContaining({ patience, limit: 2 * patience })]]);
    },
  );

  it('says which emails came before others that wait for long', async () => {
    const { deliver, processor: works } = processor(9);
    const waited = (wait: number, delay = 0) => ({ timestamp: Date.now() - wait - delay, opts: { delay } });
    await works.process({ ...jobOf('many', 'too'), ...waited(8_000) } as never);
    await works.process({ ...jobOf('few'), ...waited(30) } as never);
    await works.process({ ...jobOf('later'), ...waited(7_000, 60_000) } as never);
    const given = deliver.mock.calls.map(([id, isAhead]) => [id, isAhead]);
    expect(given).toEqual([
      ['many', false],
      ['too', false],
      ['few', true],
      ['later', false],
    ]);
  });

  it('continues with the others when PostgreSQL fails for one', async () => {
    const { ends, processor: works } = processor(1);
    const processed = works.process(jobOf('a', 'b') as never);
    await tick();
    ends.get('a')?.reject(new Error('a trigger'));
    await processed;
    ends.get('b')?.resolve();
    await works.finished();
  });

  it('returns emails that have not begun to the queue on close, and waits for those that have', async () => {
    const { ends, processor: works } = processor(1);
    const job = jobOf('a', 'b', 'c');
    const processed = works.process(job as never, 'token');
    await tick();
    await works.close();
    await expect(processed).rejects.toBeInstanceOf(DelayedError);
    expect(job.updateData.mock.calls).toEqual([[{ emailId: 'b', more: [{ emailId: 'c' }] }]]);
    expect(job.moveToDelayed.mock.calls).toEqual([[expect.any(Number), 'token']]);
    let finished = false;
    const all = works.finished().then(() => (finished = true));
    await tick();
    expect(finished).toBe(false);
    ends.get('a')?.resolve();
    await all;
  });

  it('lets its worker close at once when its connections are cut', async () => {
    const { worker, processor: works } = processor(1);
    works.cut();
    await expect(worker.closing).resolves.toBeUndefined();
    expect(worker.disconnect).toHaveBeenCalledTimes(1);
  });
});

describe('deliveryProcessorOf', () => {
  const telemetry = { tracer: {} };
  const made: { name: string; options: object; events: string[] }[] = [];

  class FakeQueue {
    constructor(
      readonly name: string,
      readonly opts: object,
    ) {}
    async close() {}
  }

  class FakeWorker {
    private readonly events: string[] = [];

    constructor(name: string, _process: unknown, options: object) {
      made.push({ name, options, events: this.events });
    }

    on(event: string) {
      this.events.push(event);
    }
    async close() {}
  }

  beforeEach(() => {
    BullModule.queueClass = FakeQueue as never;
    BullModule.workerClass = FakeWorker as never;
  });

  /** A module of the application with a BullMQ configuration of the same key. */
  @Module({ imports: [BullModule.forRoot('other', { connection: { host: 'shop.test' }, prefix: 'shop' })] })
  class ShopModule {}

  it.each([
    ['before', [ShopModule], []],
    ['after', [], [ShopModule]],
  ])(
    'has Nest create a worker for each queue, with the options of the queue, a configuration of the same name %s it',
    async (_, before, after) => {
      made.length = 0;
      const names = ['{emails}', '{emails-1}'];
      const connection = { host: 'a.test' };
      const shared = { connection, prefix: 'p', telemetry, skipVersionCheck: true } as never;
      const app = await Test.createTestingModule({
        imports: [
          ...before,
          BullModule.forRoot({ connection: { host: 'b.test' } }),
          BullModule.forRoot('other', shared),
          BullModule.registerQueueAsync(
            ...names.map((name) => ({
              name,
              configKey: 'other',
              useFactory: () => ({ ...(shared as object), name: name.replace('emails', 'emails-id') }),
            })),
          ),
          ...after,
        ],
        providers: names.map((name) => ({
          provide: `processor of ${name}`,
          inject: [getQueueToken(name)],
          useFactory: (queue: never) =>
            new (deliveryProcessorOf(queue, 'other'))({} as never, {} as never, new DeliveryPlaces(1), false),
        })),
      }).compile();
      await app.init();
      await app.close();
      const options = expect.objectContaining({
        ...{ connection, prefix: 'p', telemetry, skipVersionCheck: true },
        ...{ autorun: false, concurrency: 4, lockDuration: 5_000, stalledInterval: 3_000, maxStalledCount: 1_000_000 },
      });
      expect(made).toEqual(['{emails-id}', '{emails-id-1}'].map((name) => ({ name, options, events: ['error'] })));
    },
  );
});
