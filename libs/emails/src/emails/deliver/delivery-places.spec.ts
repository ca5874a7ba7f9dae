import { DeliveryPlaces } from './delivery-places.js';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** All places are taken, and these numbers of emails of each lane wait. */
function fullWith(now: number, bulk: number) {
  const places = new DeliveryPlaces(1);
  const order: string[] = [];
  places.tryAcquire();
  const wait = (isBulk: boolean) =>
    void places.acquire(isBulk).then((acquired) => order.push(acquired ? (isBulk ? 'bulk' : 'now') : 'closed'));
  for (let n = 0; n < bulk; n++) wait(true);
  for (let n = 0; n < now; n++) wait(false);
  const release = async (count: number) => {
    for (let n = 0; n < count; n++) {
      places.release();
      await tick();
    }
  };
  return { places, order, release };
}

describe('DeliveryPlaces', () => {
  it('gives bulk one of eight places while both lanes wait, and all when it waits alone', async () => {
    const { order, release } = fullWith(70, 70);
    await release(80);
    expect(order.filter((lane) => lane === 'bulk').length / order.length).toBeCloseTo(1 / 8, 1);
    await release(60);
    expect(order.slice(-50)).toEqual(Array.from({ length: 50 }, () => 'bulk'));
  });

  it('costs a lane nothing if it waits without success', async () => {
    const { places, order, release } = fullWith(20, 0);
    for (let n = 0; n < 100; n++) expect(await places.acquire(true, 1)).toBe(false);
    void places.acquire(true).then(() => order.push('bulk'));
    await release(9);
    expect(order).toContain('bulk');
  });

  it('ends all waits when it is closed', async () => {
    const { places, order } = fullWith(2, 1);
    places.close();
    await tick();
    expect(order).toEqual(['closed', 'closed', 'closed']);
    expect(places.tryAcquire()).toBe(false);
    expect(await places.acquire(false)).toBe(false);
  });
});
