import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { RecipientOutcome } from '../ports/email-transport.js';
import { DomainLimiter } from './domain-limiter.js';

const outcome = (kind: RecipientOutcome['outcome']): RecipientOutcome[] => [
  { address: 'a@slow.example', outcome: kind, reply: { text: '' } },
];

describe('DomainLimiter', () => {
  it('gives each destination its slots, and hands them over in order', async () => {
    const limiter = new DomainLimiter(1);
    expect(await limiter.enter('busy.example')).toBe(0);
    const entered: number[] = [];
    const second = limiter.enter('busy.example').then(() => entered.push(2));
    const third = limiter.enter('busy.example').then(() => entered.push(3));
    expect(await limiter.enter('quick.example')).toBe(0);
    limiter.leave('busy.example', outcome('accepted'));
    await second;
    limiter.leave('busy.example', outcome('accepted'));
    await third;
    expect(entered).toEqual([2, 3]);
  });

  it('puts off emails that wait for a destination without progress', async () => {
    jest.useFakeTimers();
    try {
      const limiter = new DomainLimiter(1);
      await limiter.enter('slow.example');
      const waiting = limiter.enter('slow.example');
      jest.advanceTimersByTime(1_000);
      expect(await waiting).toBe(5_000);
      expect(await limiter.enter('slow.example')).toBe(5_000);
      limiter.leave('slow.example', null);
      expect(await limiter.enter('slow.example')).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('pauses a destination that keeps deferring, and admits it again afterwards', async () => {
    let now = 0;
    const limiter = new DomainLimiter(2, () => now);
    for (let attempt = 0; attempt < 20; attempt++) {
      expect(await limiter.enter('slow.example')).toBe(0);
      limiter.leave('slow.example', outcome('deferred'));
    }
    expect(await limiter.enter('slow.example')).toBe(30_000);
    now = 30_000;
    expect(await limiter.enter('slow.example')).toBe(0);
  });

  it('starts counting again when a message is accepted', async () => {
    const limiter = new DomainLimiter(1);
    for (let attempt = 0; attempt < 100; attempt++) {
      expect(await limiter.enter('slow.example')).toBe(0);
      limiter.leave('slow.example', outcome(attempt % 19 === 18 ? 'accepted' : 'deferred'));
    }
  });

  it('halves the slots of an overloaded destination, and restores them with each success', async () => {
    let now = 0;
    const limiter = new DomainLimiter(4, () => now);
    const overload = [
      { address: 'a@busy.example', outcome: 'deferred', reply: { code: 421, text: '421 busy' } },
    ] as const;
    const takes = async () => {
      const waits = await Promise.all(
        Array.from({ length: 5 }, () => Promise.race([limiter.enter('busy.example'), -1])),
      );
      return waits.filter((wait) => wait === 0).length;
    };
    jest.useFakeTimers();
    try {
      for (let quick = 0; quick < 2; quick++) {
        await limiter.enter('busy.example');
        limiter.leave('busy.example', outcome('accepted'));
      }
      await limiter.enter('busy.example');
      await limiter.enter('busy.example');
      now = 10;
      limiter.leave('busy.example', overload, 0);
      // Attempts from before the limit was halved.
      limiter.leave('busy.example', overload, 0);
      expect(await takes()).toBe(2);
      await jest.advanceTimersByTimeAsync(1_000);
      for (let ended = 0; ended < 2; ended++) limiter.leave('busy.example', null);
      for (let turn = 0; turn < 9; turn++) {
        expect(await limiter.enter('busy.example')).toBe(0);
        limiter.leave('busy.example', outcome('accepted'));
      }
      expect(await takes()).toBe(4);
    } finally {
      jest.useRealTimers();
    }
  });

  it('gives an unknown destination few slots, and more with each answer', async () => {
    const limiter = new DomainLimiter(4);
    const enters = async () => (await Promise.race([limiter.enter('new.example'), setImmediate('waits')])) === 0;
    expect([await enters(), await enters(), await enters()]).toEqual([true, true, false]);
    limiter.leave('new.example', outcome('accepted'));
    // One slot for the attempt that waited, and one that was earned.
    expect([await enters(), await enters()]).toEqual([true, false]);
  });

  it('takes no slot from a slow destination, and half of the slots from one that does not answer', async () => {
    let now = 0;
    const limiter = new DomainLimiter(8, () => now);
    const slotsAfter = async (kind: RecipientOutcome['outcome'], rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        await limiter.enter('slow.example');
        const began = now;
        now += 6_000;
        limiter.leave('slow.example', outcome(kind), began);
      }
      let slots = 0;
      while ((await Promise.race([limiter.enter('slow.example'), setImmediate('waits')])) === 0) slots++;
      // Includes the attempt that waits.
      for (let left = 0; left < slots; left++) limiter.leave('slow.example', null);
      await setImmediate();
      limiter.leave('slow.example', null);
      return slots;
    };
    expect(await slotsAfter('accepted', 1)).toBe(2);
    expect(await slotsAfter('accepted', 3)).toBe(3);
    expect(await slotsAfter('deferred', 1)).toBe(1);
    expect(await slotsAfter('unknown', 1)).toBe(1);
  });

  it('remembers for an hour how a destination answered last', async () => {
    let now = 0;
    const limiter = new DomainLimiter(4, () => now);
    const answer = (text: string): RecipientOutcome[] => [
      { address: 'a@to.example', outcome: 'accepted', reply: { code: 250, text } },
    ];
    expect(limiter.speedOf('to.example')).toBeUndefined();
    await limiter.enter('to.example');
    limiter.leave('to.example', answer('ok'));
    expect(limiter.speedOf('to.example')).toBe('quick');
    now = 3_599_999;
    await limiter.enter('to.example');
    expect(limiter.speedOf('to.example')).toBe('quick');
    now = 3_600_000;
    expect(limiter.speedOf('to.example')).toBeUndefined();
    limiter.leave('to.example', answer('ok'), now - 5_000);
    expect(limiter.speedOf('to.example')).toBe('slow');
    await limiter.enter('to.example');
    limiter.leave('to.example', outcome('deferred'));
    expect(limiter.speedOf('to.example')).toBeUndefined();
  });

  it('forgets the destinations that had no mail for the longest time, when there are many', async () => {
    const limiter = new DomainLimiter(4);
    const answer: RecipientOutcome[] = [{ address: 'a@to', outcome: 'accepted', reply: { code: 250, text: 'ok' } }];
    const send = async (domain: string) => {
      await limiter.enter(domain);
      limiter.leave(domain, answer);
    };
    await send('often.example');
    await send('once.example');
    for (let n = 0; n < 20_000; n++) {
      await send(`to${n}.example`);
      if (n % 1_000 === 0) await send('often.example');
    }
    expect(limiter.speedOf('often.example')).toBe('quick');
    expect(limiter.speedOf('once.example')).toBeUndefined();
  });
});
