import { jest } from '@jest/globals';
import { ByteBudget } from './byte-budget.js';

describe('ByteBudget', () => {
  it('lets in what fits, and the rest in order as room is given back', async () => {
    const budget = new ByteBudget(100);
    const entered: string[] = [];
    const enter = async (name: string, bytes: number) => {
      const giveBack = await budget.take(bytes);
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
    const giveBack = await new ByteBudget(10).take(1_000);
    expect(giveBack).toBeInstanceOf(Function);
  });

  it('refuses with 503 after half a minute without room, and goes on', async () => {
    jest.useFakeTimers();
    try {
      const budget = new ByteBudget(10);
      const giveBack = await budget.take(10);
      const late = expect(budget.take(5)).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
      jest.advanceTimersByTime(30_000);
      await late;
      giveBack();
      await budget.take(5);
    } finally {
      jest.useRealTimers();
    }
  });
});
