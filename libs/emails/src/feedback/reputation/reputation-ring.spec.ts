import { ReputationRing } from './reputation-ring.js';

describe('ReputationRing', () => {
  it('counts over all recipients while there are few', () => {
    const ring = new ReputationRing(700).with(7, 1);
    const rates = { recipients: 700, bounces: 7, complaints: 1, bounceRate: 0.01, complaintRate: 1 / 700 };
    expect([ring.rates(1_000), ring.rates(10_000)]).toEqual([rates, rates]);
  });

  it('counts over the last ones alone when there are more', () => {
    const old = new ReputationRing(1_000).with(50, 2).entries;
    const ring = new ReputationRing(2_500, old).with(10, 0);
    expect(ring.rates(1_000)).toMatchObject({ recipients: 1_000, bounces: 10, complaints: 0, bounceRate: 0.01 });
    expect(ring.rates(10_000)).toMatchObject({ recipients: 2_500, bounces: 60, complaints: 2, bounceRate: 0.024 });
  });

  it('forgets what is 10,000 recipients ago', () => {
    let ring = new ReputationRing(0);
    for (let recipients = 0; recipients <= 50_000; recipients += 50)
      ring = new ReputationRing(recipients, ring.entries).with(1, 0);
    expect(ring.entries.length).toBeLessThanOrEqual(100);
    expect(ring.rates(1_000)).toMatchObject({ recipients: 1_000, bounceRate: expect.closeTo(0.02, 2) });
    expect(ring.rates(10_000)).toMatchObject({ recipients: 10_000, bounceRate: expect.closeTo(0.02, 3) });
    expect(new ReputationRing(70_000, ring.entries).with(0, 0).entries).toEqual([]);
  });

  it('takes bounces off again, the latest first, and no more than there are', () => {
    const old = new ReputationRing(1_000).with(5, 1).entries;
    const both = new ReputationRing(1_100, old).with(40, 0).entries;
    const ring = new ReputationRing(1_250, both);
    expect(ring.with(7, 0).with(-49, 0).entries).toEqual([[10, 3, 1]]);
    expect(ring.with(-39, 0).entries).toEqual([
      [10, 5, 1],
      [11, 1, 0],
    ]);
    expect(ring.with(-100, 2).entries).toEqual([
      [10, 0, 1],
      [12, 0, 2],
    ]);
    expect(ring.with(-100, 0).with(1, 0).rates(10_000).bounces).toBe(1);
  });

  it('has no rate above 1, and none without recipients', () => {
    expect(new ReputationRing(0).with(5, 5).rates(1_000)).toMatchObject({ bounceRate: 0, complaintRate: 0 });
    expect(new ReputationRing(2).with(5, 5).rates(1_000)).toMatchObject({ bounceRate: 1, complaintRate: 1 });
  });
});
