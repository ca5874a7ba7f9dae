import { jest } from '@jest/globals';
import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  it('lets in what fits, and the rest in order as room is given back', async () => {
    const budget = new ByteBudget(100);
    const entered: string[] = [];
    const enter = async (name: string, bytes: number) => {
      const giveBack = await budget.take(bytes, name);
      entered.push(name);
      return giveBack;
    };
    const [first, second] = [await enter('first', 60), await enter('second', 40)];
    const third = enter('third', 50);
    const fourth = enter('fourth', 10);
    await Promise.resolve();
    expect(entered).toEqual(['first', 'second']);
    second();
    await Promise.resolve();
    expect(entered).toEqual(['first', 'second']);
    first();
    await Promise.all([third, fourth]);
    expect(entered).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('lets one that is larger than the whole budget in alone', async () => {
    const giveBack = await new ByteBudget(10).take(1_000, 'one');
    expect(giveBack).toBeInstanceOf(Function);
  });

  it('refuses with 503 after half a minute without room, and goes on', async () => {
    jest.useFakeTimers();
    try {
      const budget = new ByteBudget(10);
      const giveBack = await budget.take(10, 'one');
      const late = expect(budget.take(5, 'two')).rejects.toMatchObject({
        statusCode: 503,
        headers: { 'retry-after': '5' },
      });
      jest.advanceTimersByTime(30_000);
      await late;
      giveBack();
      await budget.take(5, 'two');
    } finally {
      jest.useRealTimers();
    }
  });

  it('holds up an owner who has half of it already, and nobody behind him', async () => {
    const budget = new ByteBudget(100);
    const first = await budget.take(40, 'greedy');
    const entered: string[] = [];
    const enter = (owner: string) =>
      budget.take(20, owner).then((giveBack) => {
        entered.push(owner);
        return giveBack;
      });
    const second = enter('greedy');
    await enter('modest');
    expect(entered).toEqual(['modest']);
    first();
    await second;
    expect(entered).toEqual(['modest', 'greedy']);
  });

  it('lets nobody overtake an owner who waits for room alone', async () => {
    const budget = new ByteBudget(100);
    const first = await budget.take(60, 'first');
    const entered: string[] = [];
    const large = budget.take(50, 'large').then(() => entered.push('large'));
    const small = budget.take(10, 'small').then(() => entered.push('small'));
    await Promise.resolve();
    expect(entered).toEqual([]);
    first();
    await Promise.all([large, small]);
    expect(entered).toEqual(['large', 'small']);
  });

  it('lets 25 of one owner wait, and 100 of all', async () => {
    jest.useFakeTimers();
    try {
      const budget = new ByteBudget(10);
      await budget.take(10, 'a');
      const waiting: Promise<unknown>[] = [];
      for (const owner of ['a', 'b', 'c', 'd']) {
        for (let count = 0; count < 25; count++) waiting.push(budget.take(1, owner));
        await expect(budget.take(1, owner)).rejects.toMatchObject({ statusCode: 503 });
      }
      await expect(budget.take(1, 'e')).rejects.toMatchObject({ statusCode: 503 });
      const ends = Promise.allSettled(waiting);
      jest.advanceTimersByTime(30_000);
      expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});
