import { jest } from '@jest/globals';
import { MessageStages } from '../../message/message-stages.js';
import { Observation } from '../../observation/observation.js';
import type { EmailTransport } from '../../ports/email-transport.js';
import { HopBits } from '../../storage/deliver/hop-bits.js';
import { OwnRoutes } from './own-routes.js';

const PARTS = {
  builder: {},
  stages: new MessageStages(),
  observation: new Observation([]),
  rules: {},
  destinationConcurrency: 10,
  wrap: (transport: EmailTransport) => transport,
  permits: { take: async () => ({ granted: 1, wait: 0 }) },
  concurrency: 16,
  bits: new HopBits([]),
} as never;

const transportWith = () => ({
  hop: 'relay' as const,
  send: jest.fn<EmailTransport['send']>(),
  verify: async () => {},
  close: jest.fn(async () => {}),
});

beforeEach(() => void jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('OwnRoutes', () => {
  it('makes a transport once for all emails with its key, and closes it after five minutes without one', async () => {
    const own = new OwnRoutes(PARTS);
    const transport = transportWith();
    const make = jest.fn(() => transport);
    const [route, same] = await Promise.all([own.enter({ key: 'one', make }), own.enter({ key: 'one', make })]);
    expect(same).toBe(route);
    expect(own.all).toEqual([route]);
    own.leave(route);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(transport.close).not.toHaveBeenCalled();
    own.leave(route);
    await jest.advanceTimersByTimeAsync(299_999);
    own.leave(await own.enter({ key: 'one', make }));
    await jest.advanceTimersByTimeAsync(299_999);
    expect(transport.close).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(transport.close).toHaveBeenCalledTimes(1);
    expect(own.all).toEqual([]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('makes it again after it could not be made', async () => {
    const own = new OwnRoutes(PARTS);
    const make = jest.fn(async () => transportWith());
    make.mockRejectedValueOnce(new Error('no settings'));
    await expect(own.enter({ key: 'one', make })).rejects.toThrow('no settings');
    expect((await own.enter({ key: 'one', make })).name).toBe('one');
  });

  it.each([[undefined], [{}], [{ ...transportWith(), hop: 'other' }]])('refuses %p as a transport', async (made) => {
    await expect(new OwnRoutes(PARTS).enter({ key: 'one', make: () => made as never })).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidTransport' }),
    );
  });

  it('gives up after three seconds, and closes a transport that comes later', async () => {
    const own = new OwnRoutes(PARTS);
    const transport = transportWith();
    let finish = (_: EmailTransport) => {};
    const entered = own.enter({ key: 'one', make: () => new Promise((resolve) => (finish = resolve)) });
    const failed = expect(entered).rejects.toThrow(expect.objectContaining({ name: 'TransportTooSlow' }));
    await jest.advanceTimersByTimeAsync(3_000);
    await failed;
    finish(transport);
    await jest.advanceTimersByTimeAsync(0);
    expect(transport.close).toHaveBeenCalledTimes(1);
  });

  it('closes the idle one that was entered first when there are too many, and refuses a new one while all are in use', async () => {
    const own = new OwnRoutes(PARTS, 2);
    const transports = [transportWith(), transportWith()];
    const [first, second] = [
      await own.enter({ key: 'first', make: () => transports[0] as never }),
      await own.enter({ key: 'second', make: () => transports[1] as never }),
    ];
    const third = { key: 'third', make: transportWith };
    await expect(own.enter(third)).rejects.toThrow(expect.objectContaining({ name: 'NoOwnRoute' }));
    own.leave(second);
    own.leave(first);
    await own.enter(third);
    expect(transports.map(({ close }) => close.mock.calls.length)).toEqual([1, 0]);
    expect(own.all.map(({ name }) => name)).toEqual(['second', 'third']);
  });

  it('closes one that was being made when it stopped', async () => {
    const own = new OwnRoutes(PARTS);
    const transport = transportWith();
    const entered = own.enter({ key: 'one', make: async () => transport });
    own.stop();
    await expect(entered).rejects.toThrow(expect.objectContaining({ name: 'NoOwnRoute' }));
    await jest.advanceTimersByTimeAsync(0);
    expect(transport.close).toHaveBeenCalledTimes(1);
  });

  it('makes none after it is stopped', async () => {
    const own = new OwnRoutes(PARTS);
    const route = await own.enter({ key: 'one', make: transportWith });
    own.stop();
    own.leave(route);
    expect(jest.getTimerCount()).toBe(0);
    await expect(own.enter({ key: 'two', make: transportWith })).rejects.toThrow(
      expect.objectContaining({ name: 'NoOwnRoute' }),
    );
  });
});
