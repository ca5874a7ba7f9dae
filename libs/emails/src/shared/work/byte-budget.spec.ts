import { jest } from '@jest/globals';
import fc from 'fast-check';
import { ByteBudget } from './byte-budget.js';
import type { ByteShare } from './byte-share.js';

describe('ByteBudget', () => {
  it('admits requests that fit, and the rest in order as bytes are released', async () => {
    const budget = new ByteBudget(100);
    const entered: string[] = [];
    const enter = async (name: string, bytes: number) => {
      const share = await budget.acquire(bytes, name);
      entered.push(name);
      return share;
    };
    const [first, second] = [await enter('first', 60), await enter('second', 40)];
    const third = enter('third', 50);
    const fourth = enter('fourth', 10);
    await Promise.resolve();
    expect(entered).toEqual(['first', 'second']);
    second.close();
    await Promise.resolve();
    expect(entered).toEqual(['first', 'second']);
    first.close();
    await Promise.all([third, fourth]);
    expect(entered).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('admits one that is larger than the whole budget alone', async () => {
    expect((await new ByteBudget(10).acquire(1_000, 'one')).held).toBe(1_000);
  });

  it('refuses with 503 after half a minute without room, and continues', async () => {
    jest.useFakeTimers();
    try {
      const budget = new ByteBudget(10);
      const share = await budget.acquire(10, 'one');
      const late = expect(budget.acquire(5, 'two')).rejects.toMatchObject({
        statusCode: 503,
        headers: { 'retry-after': '5' },
      });
      jest.advanceTimersByTime(30_000);
      await late;
      share.close();
      await budget.acquire(5, 'two');
    } finally {
      jest.useRealTimers();
    }
  });

  it('delays only an owner that holds half of it already', async () => {
    const budget = new ByteBudget(100);
    const first = await budget.acquire(40, 'greedy');
    const entered: string[] = [];
    const enter = (owner: string) =>
      budget.acquire(20, owner).then((share) => {
        entered.push(owner);
        return share;
      });
    const second = enter('greedy');
    await enter('modest');
    expect(entered).toEqual(['modest']);
    first.close();
    await second;
    expect(entered).toEqual(['modest', 'greedy']);
  });

  it('lets no one overtake an owner that waits to be admitted alone', async () => {
    const budget = new ByteBudget(100);
    const first = await budget.acquire(60, 'first');
    const entered: string[] = [];
    const large = budget.acquire(50, 'large').then(() => entered.push('large'));
    const small = budget.acquire(10, 'small').then(() => entered.push('small'));
    await Promise.resolve();
    expect(entered).toEqual([]);
    first.close();
    await Promise.all([large, small]);
    expect(entered).toEqual(['large', 'small']);
  });

  it('limits waiting requests to 25 of one owner, and 100 of all', async () => {
    jest.useFakeTimers();
    try {
      const budget = new ByteBudget(10);
      await budget.acquire(10, 'a');
      const waiting: Promise<unknown>[] = [];
      for (const owner of ['a', 'b', 'c', 'd']) {
        for (let count = 0; count < 25; count++) waiting.push(budget.acquire(1, owner));
        await expect(budget.acquire(1, owner)).rejects.toMatchObject({ statusCode: 503 });
      }
      await expect(budget.acquire(1, 'e')).rejects.toMatchObject({ statusCode: 503 });
      const ends = Promise.allSettled(waiting);
      jest.advanceTimersByTime(30_000);
      expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  describe('whose shares grow step by step', () => {
    beforeEach(() => {
      jest.useFakeTimers();
    });

    afterEach(() => {
      jest.useRealTimers();
    });

    it('counts received bytes, not claimed ones', async () => {
      const budget = new ByteBudget(100);
      for (const owner of ['a', 'b', 'c', 'd']) expect(budget.open(owner, 50).grow(5)).toBeUndefined();
      expect(budget.open('e', 80).grow(80)).toBeUndefined();
    });

    it('promises no more than a multiple of its bytes, half of it to one owner', async () => {
      const budget = new ByteBudget(100, { all: 10, each: 10, promises: 2 });
      const first = budget.open('a', 60);
      expect(first.grow(1)).toBeUndefined();
      const second = budget.open('a', 60).grow(1);
      expect(second).toBeInstanceOf(Promise);
      expect(budget.open('b', 60).grow(1)).toBeUndefined();
      expect(budget.open('c', 60).grow(1)).toBeUndefined();
      const late = budget.open('d', 60).grow(1);
      expect(late).toBeInstanceOf(Promise);
      // Nothing overtakes it, so that it starts eventually.
      const small = budget.open('e', 10).grow(1);
      expect(small).toBeInstanceOf(Promise);
      first.close();
      await second;
    });

    it('reserves room for one to finish when several have started', async () => {
      const budget = new ByteBudget(100);
      const [first, second] = [budget.open('a', 60), budget.open('b', 60)];
      expect([first.grow(40), second.grow(40)]).toEqual([undefined, undefined]);
      expect(first.grow(5)).toBeUndefined();
      // The rest is just enough for the first one.
      const waits = second.grow(5);
      expect(waits).toBeInstanceOf(Promise);
      expect(first.grow(15)).toBeUndefined();
      first.close();
      await waits;
      expect(second.grow(15)).toBeUndefined();
    });

    it('makes the youngest request of an owner above half give up, once others wait', async () => {
      const budget = new ByteBudget(100);
      const cut: number[] = [];
      const shares = [0, 1, 2, 3].map((number) => {
        const share = budget.open('a', 25);
        share.follow(() => {
          cut.push(number);
          share.close();
        });
        share.grow(12);
        return share;
      });
      for (const share of shares) share.grow(13);
      const own = budget.acquire(10, 'a');
      expect(cut).toEqual([]);
      await budget.acquire(30, 'b');
      expect(cut).toEqual([3, 2]);
      for (const share of shares) share.close();
      await own;
    });

    it('skips a request that might keep others from finishing in favour of one that cannot', async () => {
      const budget = new ByteBudget(100);
      const [first, second, third] = ['a', 'b', 'c'].map((owner) => budget.open(owner, 60)) as [
        ByteShare,
        ByteShare,
        ByteShare,
      ];
      expect([first.grow(25), second.grow(25)]).toEqual([undefined, undefined]);
      const waits = third.grow(20);
      expect(waits).toBeInstanceOf(Promise);
      expect(budget.open('d', 25).grow(10)).toBeUndefined();
      first.close();
      await waits;
    });

    it('admits owners in turn', async () => {
      const budget = new ByteBudget(100);
      const all = await budget.acquire(100, 'x');
      const order: string[] = [];
      const acquire = (owner: string) =>
        budget.acquire(30, owner).then((share) => {
          order.push(owner);
          return share;
        });
      const acquired = [acquire('a'), acquire('a'), acquire('a'), acquire('b'), acquire('c')];
      all.close();
      for (const one of acquired) void one.then((share) => share.close());
      await Promise.all(acquired);
      expect(order).toEqual(['a', 'b', 'c', 'a', 'a']);
    });

    it('cuts off only a request that stalls for five seconds while others wait', async () => {
      const budget = new ByteBudget(100_000_000);
      const cut: string[] = [];
      const open = (name: string, bytes: number) => {
        const share = budget.open(name, 60_000_000);
        share.follow(() => {
          cut.push(name);
          share.close();
        });
        share.grow(bytes);
        return share;
      };
      open('slow', 30_000_000);
      const quick = open('quick', 10_000_000);
      const done = open('done', 5_000_000);
      done.unfollow();
      for (let seconds = 0; seconds < 60; seconds += 2) {
        jest.advanceTimersByTime(2_000);
        quick.grow(1_000_000);
      }
      expect(cut).toEqual([]);
      const acquired = budget.acquire(40_000_000, 'new');
      expect(cut).toEqual(['slow']);
      await acquired;
    });

    it('makes slow requests give way to one that has waited for ten seconds, the largest first', async () => {
      const budget = new ByteBudget(100_000_000);
      const cut: string[] = [];
      const open = (name: string, bytes: number) => {
        const share = budget.open(name, 40_000_000);
        share.follow(() => {
          cut.push(name);
          share.close();
        });
        share.grow(bytes);
        return share;
      };
      const slow = [open('small', 15_000_000), open('large', 25_000_000)];
      open('ours', 30_000_000).unfollow();
      const waiting = budget.acquire(40_000_000, 'new');
      const pass = (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          jest.advanceTimersByTime(1_000);
          for (const share of slow) if (!cut.includes(share.owner)) share.grow(600_000);
        }
      };
      pass(9);
      expect(cut).toEqual([]);
      pass(2);
      expect(cut).toEqual(['large']);
      await waiting;
      pass(3);
      expect(cut).toEqual(['large']);
    });

    it('makes the slowest of those that hold as much give way first, and none that is quick', async () => {
      const budget = new ByteBudget(100_000_000);
      const cut: string[] = [];
      const rates: Record<string, number> = { quick: 2_100_000, slow: 900_000, slowest: 600_000 };
      const shares = Object.keys(rates).map((owner) => {
        const share = budget.open(owner, 25_000_000);
        share.grow(25_000_000);
        share.follow(() => {
          cut.push(owner);
          share.close();
        });
        return share;
      });
      const waiting = budget.acquire(50_000_000, 'new');
      for (let second = 0; second < 20; second++) {
        jest.advanceTimersByTime(1_000);
        for (const share of shares) share.proceed(rates[share.owner] ?? 0);
      }
      await waiting;
      expect(cut).toEqual(['slowest']);
    });

    it('does not treat a sender of bytes without room as slow, unless another has waited for ten seconds', async () => {
      const budget = new ByteBudget(100_000_000);
      const share = budget.open('a', 60_000_000);
      const cutOff = jest.fn(() => share.close());
      share.follow(cutOff);
      share.grow(60_000_000);
      const waiting = budget.acquire(50_000_000, 'b');
      const pass = (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          jest.advanceTimersByTime(1_000);
          share.advance(5_000_000);
        }
      };
      pass(9);
      expect(cutOff).not.toHaveBeenCalled();
      pass(2);
      expect(cutOff).toHaveBeenCalled();
      await waiting;
    });

    it('cuts off no other request for one that is delayed by its own bytes', async () => {
      const budget = new ByteBudget(100_000_000);
      const cutOff = jest.fn();
      const share = budget.open('a', 40_000_000);
      share.follow(cutOff);
      share.grow(20_000_000);
      await budget.acquire(40_000_000, 'b');
      void budget.acquire(20_000_000, 'b').catch(() => {});
      for (let seconds = 0; seconds < 25; seconds++) {
        jest.advanceTimersByTime(1_000);
        share.grow(600_000);
      }
      expect(cutOff).not.toHaveBeenCalled();
    });

    it('cuts off no slow request of others for one that waits for its own half', async () => {
      const budget = new ByteBudget(100);
      const cut: string[] = [];
      const open = (owner: string) => {
        const share = budget.open(owner, 30);
        share.follow(() => {
          cut.push(owner);
          share.close();
        });
        share.grow(30);
      };
      for (const owner of ['a', 'b']) open(owner);
      jest.advanceTimersByTime(6_000);
      const waits = budget.acquire(30, 'a');
      expect(cut).toEqual(['a']);
      await waits;
    });

    it('does not count the time that a request waits for room against it', async () => {
      const budget = new ByteBudget(100);
      const holder = await budget.acquire(60, 'a');
      const share = budget.open('b', 50);
      const cutOff = jest.fn();
      share.follow(cutOff);
      share.grow(40);
      const wait = share.grow(10);
      jest.advanceTimersByTime(29_000);
      holder.close();
      await wait;
      void budget.acquire(80, 'c').catch(() => {});
      jest.advanceTimersByTime(4_000);
      expect(cutOff).not.toHaveBeenCalled();
      jest.advanceTimersByTime(3_000);
      expect(cutOff).toHaveBeenCalled();
    });

    const MB = 1_000_000;
    type Sender = typeof sender extends fc.Arbitrary<infer T> ? T : never;
    const goesOn = ({ stallsAt, size }: Sender) => stallsAt === null || stallsAt > size;
    const sender = fc.record({
      owner: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      size: fc.integer({ min: 1, max: 60 }),
      step: fc.integer({ min: 1, max: 10 }),
      /** Sizes that it claims, one after the other, before the whole. */
      claims: fc.constantFrom<(number | 'size')[]>(['size'], [], [4, 34], [10, 20, 30]),
      pause: fc.integer({ min: 0, max: 1_500 }),
      delay: fc.constantFrom(0, 0, 0, 5_000),
      /** After this many MB the upload stalls. */
      stallsAt: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 2 }),
    });

    it('lets every active request finish within its bounds next to stalled ones', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(sender, { minLength: 2, maxLength: 20 }), async (senders) => {
          const budget = new ByteBudget(100 * MB);
          let used = 0;
          const hold = (share: ByteShare, before: number) => {
            used += share.held - before;
            expect(used).toBeLessThanOrEqual(100 * MB);
          };
          const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

          /** Number of refusals; the caller retries after each. */
          const send = async (one: Sender): Promise<string> => {
            const claims = one.claims.map((claim) => (claim === 'size' ? one.size : claim)).concat(60);
            const share = budget.open(one.owner, (claims[0] ?? 60) * MB);
            const cut = new Promise<'cut'>((resolve) => share.follow(() => resolve('cut')));
            try {
              while (share.held < one.size * MB) {
                const before = share.held;
                const bytes = Math.min(one.step * MB, one.size * MB - before);
                const claim = claims.find((limit) => before + bytes <= limit * MB) ?? 60;
                await share.grow(bytes, claim * MB);
                hold(share, before);
                if (one.stallsAt && share.held >= one.stallsAt * MB) return await cut;
                await pause(Math.min(one.pause, one.step * 1_500));
              }
              share.unfollow();
              await pause(100);
              return 'sent';
            } catch {
              return 'refused';
            } finally {
              used -= share.held;
              share.close();
            }
          };
          const ends = senders.map(async (one) => {
            await pause(one.delay);
            for (let tries = 1; ; tries++) {
              const end = await send(one);
              if (end !== 'refused' || !goesOn(one)) return { end, tries };
            }
          });
          let isOver = false;
          const honest = Promise.all(ends.filter((_, at) => goesOn(senders[at] as Sender)));
          void honest.then(() => (isOver = true));
          for (let seconds = 0; seconds < 1_200 && !isOver; seconds++) await jest.advanceTimersByTimeAsync(1_000);
          expect(isOver).toBe(true);
          for (const { end } of await honest) expect(end).toBe('sent');
        }),
        { numRuns: 200 },
      );
    });
  });
});
