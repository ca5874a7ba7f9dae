import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type DeliveryJob, DeliveryQueue, emailsOf } from './delivery-queue.js';

interface Added {
  name: string;
  data: DeliveryJob;
  opts: { jobId: string; delay: number };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

function queueThat(addBulk: (jobs: Added[]) => Promise<unknown>) {
  const added = jest.fn(addBulk);
  const remove = jest.fn(async (_: string) => 1);
  const line = { getWaiting: async () => [], getPrioritized: async () => [], getActive: async () => [] };
  const addedBulk = jest.fn(addBulk);
  const now = { addBulk: added, remove, ...line, on: () => {} };
  const queue = new DeliveryQueue([now, { ...now, addBulk: addedBulk }] as never);
  return { queue, added, addedBulk, remove };
}

const jobs = (added: ReturnType<typeof queueThat>['added']) => added.mock.calls.flatMap(([group]) => group);

describe('DeliveryQueue', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  let log: jest.SpiedFunction<Logger['log']>;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
  });

  afterEach(() => jest.restoreAllMocks());

  it('puts only the id of the email into jobs', async () => {
    const { queue, added } = queueThat(async () => {});
    queue.wake({ emailId: 'e', accountId: 'a', fence: 0, delay: 0 });
    await tick();
    expect(jobs(added).map(({ data }) => data)).toEqual([{ emailId: 'e' }]);
  });

  it('uses one job id per lease, and another for a wake-up for later', async () => {
    const { queue, added } = queueThat(async () => {});
    for (const delay of [0, 0, 500.2, 900]) queue.wake({ emailId: 'e', accountId: 'a', fence: 3, delay });
    await tick();
    const ids = jobs(added).map(({ opts }) => opts.jobId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(ids[0]).not.toBe(ids[2]);
    for (const id of ids) expect(id).not.toContain(':');
    expect(jobs(added)[2]?.opts.delay).toBe(501);
  });

  it('puts many due emails into one job, evenly, on their first wake-up', async () => {
    const { queue, added } = queueThat(async () => {});
    const first = { accountId: 'a', fence: 0, delay: 0, mayShare: true };
    for (let n = 0; n < 60; n++) queue.wake({ ...first, emailId: `e${n}` });
    queue.wake({ ...first, emailId: 'swept', mayShare: false });
    queue.wake({ ...first, emailId: 'scheduled', delay: 5 });
    await tick();
    expect(jobs(added).map(({ data }) => emailsOf(data).length)).toEqual([20, 20, 20, 1, 1]);
    const named = jobs(added).flatMap(({ data }) => emailsOf(data).map(({ emailId }) => emailId));
    expect(named).toEqual([...Array.from({ length: 60 }, (_, n) => `e${n}`), 'swept', 'scheduled']);
    expect(new Set(jobs(added).map(({ opts }) => opts.jobId)).size).toBe(5);
    expect(jobs(added).map(({ opts }) => opts.delay)).toEqual([0, 0, 0, 0, 5]);
  });

  it('puts emails into one job only if their turns are near: those to many recipients are not', async () => {
    const { queue, added } = queueThat(async () => {});
    const first = { accountId: 'a', fence: 0, delay: 0, mayShare: true };
    for (let n = 0; n < 4; n++) queue.wake({ ...first, emailId: `e${n}`, cost: 50 });
    for (let n = 0; n < 6; n++) queue.wake({ ...first, accountId: 'b', emailId: `b${n}`, cost: 5 });
    await tick();
    const of = jobs(added).map(({ data }) => emailsOf(data).map(({ emailId }) => emailId));
    expect(of).toEqual([['e0', 'b0', 'b1', 'b2', 'b3', 'b4'], ['b5'], ['e1'], ['e2'], ['e3']]);
  });

  it('wakes an email again whose job came too early and may still exist', async () => {
    const { queue, added } = queueThat(async () => {});
    queue.wake({ emailId: 'e', accountId: 'a', fence: 3, delay: 500 });
    queue.wakeAgain('e', 7, false);
    await tick();
    expect(jobs(added).map(({ opts }) => opts.delay)).toEqual([500, 7]);
    expect(jobs(added)[0]?.opts.jobId).not.toBe(jobs(added)[1]?.opts.jobId);
  });

  it('knows how long the first job has waited since its time, and does not wait long for the answer', async () => {
    const waiting = (...line: object[]) => ({
      getWaiting: async (from: number, to: number) => line.slice(from, to + 1),
      getWaitingCount: async () => line.length,
      getPrioritized: async () => [],
      on: () => {},
    });
    const line = Array.from({ length: 30 }, (_, n) => ({
      timestamp: Date.now() - (31 + n) * 1_000,
      opts: { delay: 20_000 },
    }));
    const waitOf = async (...queues: object[]) => {
      const { now, bulk } = await new DeliveryQueue([...queues, ...queues.map(() => waiting())] as never).longestWait();
      expect(bulk).toBe(0);
      return now;
    };
    expect(Math.round((await waitOf(waiting(...line))) / 10_000)).toBe(4);
    expect(Math.round((await waitOf(waiting(...line.reverse()))) / 10_000)).toBe(4);
    const gone = {
      ...waiting(),
      getWaiting: async () => [undefined, line[0]],
      getWaitingCount: async () => 2,
    };
    expect(await waitOf(gone)).toBeGreaterThan(30_000);
    expect(await waitOf(waiting(...line), waiting())).toBe(0);
    expect(await waitOf({ ...waiting(), getWaitingCount: () => Promise.reject(new Error('away')) })).toBe(0);
    const queues = [waiting(), waiting(...line.slice(0, 1)), waiting(...line), waiting(...line)];
    const { now, bulk } = await new DeliveryQueue(queues as never).longestWait();
    expect([now, Math.round(bulk / 10_000)]).toEqual([0, 4]);
  });

  it('removes a wake-up for later after it was added', async () => {
    const { queue, added, remove } = queueThat(async () => expect(remove).not.toHaveBeenCalled());
    queue.wake({ emailId: 'e', accountId: 'a', fence: 3, delay: 500 });
    queue.forget({ emailId: 'e', accountId: 'a', fence: 3 });
    await tick();
    await tick();
    expect(remove.mock.calls).toEqual([[jobs(added)[0]?.opts.jobId]]);
    queue.forget({ emailId: 'e', accountId: 'a', fence: 4 });
    await tick();
    expect(added).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('never fails its caller, and logs once that the queue is away and once that it is back', async () => {
    let away = true;
    const { queue } = queueThat(async () => {
      if (away) throw new Error('away');
    });
    for (let n = 0; n < 5; n++) {
      queue.wake({ emailId: `e${n}`, accountId: 'a', fence: 0, delay: 0 });
      await tick();
    }
    expect(warn).toHaveBeenCalledTimes(1);
    away = false;
    queue.wake({ emailId: 'last', accountId: 'a', fence: 0, delay: 0 });
    await tick();
    expect(log).toHaveBeenCalledTimes(1);
  });

  it('limits wake-ups in memory while the queue does not answer', async () => {
    let answer = () => {};
    const { queue, added } = queueThat(() => new Promise<void>((resolve) => (answer = resolve)));
    for (let n = 0; n < 25_000; n++) queue.wake({ emailId: `e${n}`, accountId: 'a', fence: 0, delay: 0 });
    await tick();
    let groups = 0;
    while (added.mock.calls.length > groups) {
      groups = added.mock.calls.length;
      answer();
      // One turn for the answer to arrive, one for the next group to be sent.
      await tick();
      await tick();
    }
    expect(jobs(added).length).toBeGreaterThanOrEqual(10_000);
    expect(jobs(added).length).toBeLessThan(11_000);
  });
});
