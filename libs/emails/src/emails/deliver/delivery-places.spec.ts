import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryPlaces, type JobLine } from './delivery-places.js';

const LONG = 60_000;

/** Places of which all are taken, and the order in which emails begin. */
function full(most = 1) {
  const clock = { time: 0 };
  const places = new DeliveryPlaces(most, () => clock.time);
  const order: string[] = [];
  const give = (name: string, job: Partial<JobLine> = {}) =>
    places.give({
      ...{ count: 1, isBulk: false, turn: 0, patience: LONG, limit: LONG },
      ...job,
      begin: (at) => order.push(job.count === undefined ? name : `${name}${at}`),
    });
  void places.give({ count: most, isBulk: false, turn: 0, patience: LONG, limit: LONG, begin: () => {} });
  const release = (count: number) => {
    for (let n = 0; n < count; n++) places.release();
  };
  return { places, order, give, release, clock };
}

describe('DeliveryPlaces', () => {
  it('lets emails begin at once while there are places', async () => {
    const { places, order, give, release } = full(4);
    expect(places.areShort).toBe(true);
    release(1);
    expect(places.areShort).toBe(false);
    release(1);
    expect(await give('a', { count: 2 })).toBe(2);
    expect(order).toEqual(['a0', 'a1']);
    expect(places.areShort).toBe(true);
  });

  it('waits as long as places come, up to a limit', async () => {
    const { order, give, release } = full();
    const began = performance.now();
    const given = give('many', { count: 100, patience: 40, limit: 120 });
    const releasing = setInterval(() => release(1), 5);
    const begun = await given;
    clearInterval(releasing);
    expect(performance.now() - began).toBeGreaterThanOrEqual(120);
    expect(begun).toBe(order.length);
    expect(begun).toBeLessThan(100);
    expect(await give('next', { count: 2, patience: 40 })).toBe(0);
  });

  it('knows how quickly places come', () => {
    const { places, release, clock } = full(9);
    expect(places.interval).toBe(Number.POSITIVE_INFINITY);
    release(4);
    expect(places.interval).toBe(250);
    clock.time = 1_500;
    release(1);
    expect(places.interval).toBe(250);
    clock.time = 2_500;
    expect(places.interval).toBe(1_000);
    clock.time = 9_000;
    expect(places.interval).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts the patience of a job from when it is the first in its lane', async () => {
    const { order, give, release } = full();
    const first = give('first', { count: 9, patience: 150, limit: 150 });
    const second = give('second', { count: 9, turn: 1, patience: 20 });
    const bulk = give('bulk', { count: 9, isBulk: true, patience: 20 });
    expect(await Promise.race([first, second, bulk.then(() => 'bulk')])).toBe('bulk');
    expect(await first).toBe(0);
    release(2);
    expect(await second).toBe(2);
    expect(order).toEqual(['second0', 'second1']);
  });

  it('lets one job begin after the other, by their turns', () => {
    const { order, give, release } = full();
    void give('second', { count: 2, turn: 5 });
    void give('third', { count: 2, turn: 5 });
    void give('first', { count: 1, turn: 4 });
    release(5);
    expect(order).toEqual(['first0', 'second0', 'second1', 'third0', 'third1']);
  });

  it('gives bulk one of eight places while both lanes wait, and all when it waits alone', () => {
    const { order, give, release } = full();
    void give('bulk', { count: 100, isBulk: true, turn: 1 });
    void give('now', { count: 70, turn: 9 });
    release(80);
    expect(order.filter((name) => name.startsWith('bulk'))).toHaveLength(10);
    void give('late');
    release(20);
    expect(order.slice(80)).toEqual(['late', ...Array.from({ length: 19 }, (_, n) => `bulk${10 + n}`)]);
  });

  it('gives bulk no more if now has no job in hand for a moment', () => {
    const { order, give, release } = full();
    void give('bulk', { count: 1_000, isBulk: true, turn: 1 });
    for (let times = 0; times < 20; times++) {
      release(1);
      void give('now', { count: 14, turn: 9 });
      release(15);
    }
    const share = order.filter((name) => name.startsWith('bulk')).length / order.length;
    expect(share).toBeCloseTo(1 / 8, 1);
    expect(share).toBeLessThan(0.14);
  });

  it('gives bulk no less if its jobs go back before its turn', async () => {
    const { order, give, release } = full();
    void give('now', { count: 1_000, turn: 9 });
    for (let times = 0; times < 8; times++) {
      const bulk = give('bulk', { isBulk: true, turn: 1, patience: 5 });
      release(3);
      await bulk;
    }
    expect(order.filter((name) => name.startsWith('bulk'))).toHaveLength(3);
  });

  it('forgets what bulk had before its turn when now has not come for a second', () => {
    const { order, give, release, clock } = full();
    void give('now', { count: 1 });
    release(1);
    void give('bulk', { count: 100, isBulk: true });
    release(20);
    clock.time = 1_001;
    release(1);
    void give('now', { count: 7 });
    release(8);
    expect(order.slice(-8).filter((name) => name.startsWith('bulk'))).toHaveLength(1);
  });

  it('says how many have begun in time', async () => {
    const { order, give, release } = full();
    const some = give('a', { count: 3, patience: 20 });
    release(2);
    expect(await some).toBe(2);
    expect(await give('b', { patience: 1 })).toBe(0);
    void give('c');
    release(1);
    expect(order).toEqual(['a0', 'a1', 'c']);
    await delay(25);
    expect(order).toHaveLength(3);
  });

  it('ends all waits when it is closed', async () => {
    const { places, give, release } = full();
    const waiting = [give('a', { count: 2 }), give('b', { isBulk: true })];
    release(1);
    places.close();
    expect(await Promise.all(waiting)).toEqual([1, 0]);
    expect(await give('late')).toBe(0);
  });
});
