import { Logger } from '@nestjs/common';
import { MessageStages } from '../../message/message-stages.js';
import { Observation } from '../../observation/observation.js';
import type { NamedTransport } from '../../ports/named-transport.js';
import type { RouteChooser } from '../../ports/route-chooser.js';
import { hopBits } from '../../storage/deliver/hop-bits.js';
import { Routes } from './routes.js';

const transport = {
  ...{ hop: 'relay' as const, send: async () => [], close: async () => {} },
  verify: () => Promise.reject(new Error('away')),
  acquireSlot: async () => undefined,
};
const PARTS = {
  ...{ builder: {}, stages: new MessageStages(), repository: {}, queue: {}, observation: new Observation([]) },
  ...{ rules: {}, destinationConcurrency: 10, permits: {}, concurrency: 16 },
} as never;

// Other tests check the log.
beforeAll(() => Logger.overrideLogger(false));

describe('Routes', () => {
  const names = Array.from({ length: 32 }, (_, n) => `mx${n}.test:25`);
  const [first, second] = names.flatMap((name) => {
    const same = names.find((other) => other !== name && hopBits([other]) === hopBits([name]));
    return same === undefined ? [] : [name, same];
  }) as [string, string];

  it('releases mail of a configured transport although another one with the same hash is down', () => {
    const routes = new Routes({ transports: [first, second].map((name) => ({ name, transport })) }, PARTS);
    routes.named(first).breaker.unreached('email', new Error('away'));
    expect(routes.upBits).toBe(routes.named(second).bits);
    expect(routes.upBits & routes.named(first).bits).toBe(0n);
    routes.stop();
  });

  it('releases no mail by a bit that an own transport shares with one that is down', async () => {
    const chooser: RouteChooser = { choose: () => [first, second].map((key) => ({ key, make: () => transport })) };
    const routes = new Routes({ transports: [{ name: 'other.test:25', transport }], chooser }, PARTS);
    await routes.candidates({ id: 'email', from: 'a@from.test', recipients: [] } as never);
    expect(routes.upBits).toBe(hopBits([first, 'other.test:25']));
    routes.named(first).breaker.unreached('email', new Error('away'));
    expect(routes.upBits).toBe(hopBits(['other.test:25']));
    routes.stop();
  });

  it('limits what waits for a transport that other mail does not use', () => {
    const limited = (transports: Partial<NamedTransport>[], chooser?: RouteChooser) => {
      const named = transports.map((one, n) => ({ name: `mx${n}.test:25`, transport, ...one }));
      return new Routes({ transports: named, chooser }, PARTS).all.map(({ line }) => line !== undefined);
    };
    const rule = { for: { accounts: ['one'] } };
    expect(limited([{}])).toEqual([false]);
    expect(limited([rule])).toEqual([false]);
    expect(limited([{ weight: 1 }, {}])).toEqual([false, false]);
    expect(limited([rule, {}])).toEqual([true, true]);
    expect(limited([{}], { choose: () => undefined })).toEqual([true]);
  });
});
