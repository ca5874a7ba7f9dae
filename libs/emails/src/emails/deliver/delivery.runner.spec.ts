import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DeliveryRunner } from './delivery.runner.js';

const never = () => new Promise<never>(() => {});

/** A runner with two processors; `end` says how the second one ends. */
function runner(end: { close?: () => Promise<void>; finished?: () => Promise<void> } = {}, isRequested = false) {
  const workers = [1, 2].map(() => ({ run: jest.fn(never) }));
  const processors = workers.map((worker, index) => ({
    worker,
    close: jest.fn(async () => {}),
    finished: async () => {},
    cut: jest.fn(),
    ...(index === 1 && end),
  }));
  const queue = { count: async () => ({}), cut: jest.fn() };
  const recovery = { start: jest.fn(), stop: jest.fn(async () => {}) };
  const transport = { verify: async () => {}, close: jest.fn(async () => {}) };
  const ends: ((until: Date) => Promise<number>)[] = [];
  const made = new DeliveryRunner(
    processors as never,
    queue,
    recovery,
    { routes: { all: [{ name: 'mx', transport }] }, size: 3 } as never,
    { use: (end) => void ends.push(end), isRequested },
    1,
  );
  const cuts = () => [...processors.map(({ cut }) => cut), queue.cut].map(({ mock }) => mock.calls.length);
  const drain = (until: Date) => (ends[0] as (until: Date) => Promise<number>)(until);
  return { workers, processors, recovery, transport, cuts, drain, runner: made };
}

describe('DeliveryRunner', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  });

  afterEach(() => jest.restoreAllMocks());

  it('runs the worker of each processor, and closes all before the transport', async () => {
    const { workers, processors, recovery, transport, cuts, runner: runs } = runner();
    await runs.onApplicationBootstrap();
    for (const { run } of workers) expect(run).toHaveBeenCalledTimes(1);
    expect(recovery.start).toHaveBeenCalledTimes(1);
    await runs.beforeApplicationShutdown();
    for (const { close } of processors) expect(close).toHaveBeenCalledTimes(1);
    expect(transport.close).toHaveBeenCalledTimes(1);
    expect(cuts()).toEqual([0, 0, 0]);
    expect(warn).not.toHaveBeenCalled();
  });

  it('starts no worker after a drain, and closes all at the end', async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
    const { workers, processors, recovery, transport, runner: runs } = runner({}, true);
    await runs.onApplicationBootstrap();
    for (const { run } of workers) expect(run).not.toHaveBeenCalled();
    expect(recovery.start).not.toHaveBeenCalled();
    await runs.beforeApplicationShutdown();
    for (const { close } of processors) expect(close).toHaveBeenCalledTimes(1);
    expect(transport.close).toHaveBeenCalledTimes(1);
  });

  it('refuses to start without workers, and says what to do', async () => {
    const { processors, recovery, runner: runs } = runner();
    const unregistered = new Error('"Worker" has not yet been initialized.');
    Object.defineProperty(processors[1], 'worker', {
      get: () => {
        throw unregistered;
      },
    });
    await expect(runs.onApplicationBootstrap()).rejects.toMatchObject({
      message: expect.stringMatching(/`manualRegistration`.*BullRegistrar/),
      cause: unregistered,
    });
    expect(recovery.start).not.toHaveBeenCalled();
  });

  it('cuts all connections when a worker does not close in time', async () => {
    const { cuts, transport, runner: runs } = runner({ close: never });
    await runs.onApplicationBootstrap();
    await runs.beforeApplicationShutdown();
    expect(cuts()).toEqual([1, 1, 1]);
    expect(transport.close).toHaveBeenCalledTimes(1);
  });

  it('does not wait for slow attempts, and cuts no connection because of them', async () => {
    const { cuts, runner: runs } = runner({ finished: never });
    await runs.onApplicationBootstrap();
    await runs.beforeApplicationShutdown();
    expect(cuts()).toEqual([0, 0, 0]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('will be tried again')]]);
  });

  it('drains once: it takes no email any more, and says how many are in progress at the end', async () => {
    jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
    const { processors, recovery, transport, cuts, drain, runner: runs } = runner({ finished: never });
    await runs.onApplicationBootstrap();
    expect(await drain(new Date(Date.now() + 20))).toBe(3);
    expect(await drain(new Date(0))).toBe(3);
    for (const { close } of processors) expect(close).toHaveBeenCalledTimes(1);
    expect(recovery.stop).toHaveBeenCalledTimes(1);
    expect(cuts()).toEqual([0, 0, 0]);
    await runs.beforeApplicationShutdown();
    for (const { close } of processors) expect(close).toHaveBeenCalledTimes(1);
    expect(recovery.stop).toHaveBeenCalledTimes(1);
    expect(transport.close).toHaveBeenCalledTimes(1);
  });
});
