import { LinePlaces, WaitingLine } from './waiting-line.js';

const lineOf = (share: number | (() => number), places?: LinePlaces) => {
  const clock = { now: 0 };
  const line = new WaitingLine(typeof share === 'number' ? () => share : share, places, () => clock.now);
  const waits = (count: number) => Array.from({ length: count }, () => line.enter().wait);
  const serve = (count: number) => {
    for (let n = 0; n < count; n++) line.leave(true);
  };
  return { clock, line, waits, serve };
};

describe('WaitingLine', () => {
  it('lets some wait, and puts the others off one after the other', () => {
    const { clock, line, waits } = lineOf(2);
    expect(waits(5)).toEqual([0, 0, 2_000, 2_020, 2_040]);
    line.leave(false);
    expect(waits(2)).toEqual([0, 2_060]);
    clock.now = 60_000;
    expect(waits(1)).toEqual([2_000]);
  });

  it('lets more wait than its share while all are served within two seconds', () => {
    const { clock, line, waits, serve } = lineOf(10);
    waits(10);
    serve(10);
    waits(10);
    expect(line.enter()).toEqual({ wait: 0, isExtra: true });
    expect(waits(10)).toEqual([...Array(9).fill(0), 2_000]);
    serve(10);
    clock.now = 1_500;
    expect(waits(32).slice(29)).toEqual([0, 2_000, 2_020]);
    clock.now = 3_500;
    expect(waits(1)[0]).toBeGreaterThanOrEqual(2_000);
  });

  it('brings those that it put off back as quickly as emails are served', () => {
    const { waits, serve } = lineOf(200);
    waits(200);
    serve(200);
    waits(400);
    expect(waits(3)).toEqual([2_000, 2_005, 2_010]);
  });

  it('counts no email that was not served', () => {
    const { line, waits } = lineOf(3);
    waits(3);
    for (let n = 0; n < 3; n++) line.leave(false);
    expect(waits(4)).toEqual([0, 0, 0, 2_000]);
  });

  it('shares places with other lines, and leaves some to each', () => {
    const places = new LinePlaces(100);
    const share = () => Math.ceil(places.free / 3);
    const lines = Array.from({ length: 12 }, () => lineOf(share, places));
    const entered = lines.map(({ waits }) => waits(100).filter((wait) => wait === 0).length);
    expect(entered[0]).toBe(25);
    expect(Math.min(...entered)).toBeGreaterThan(0);
    expect(places.used).toBeLessThanOrEqual(100);
  });

  it('has no more than half more than all places, however quick it is', () => {
    const { waits, serve } = lineOf(10, new LinePlaces(10));
    for (let n = 0; n < 100; n++) {
      waits(10);
      serve(10);
    }
    expect(waits(20).filter((wait) => wait === 0)).toHaveLength(15);
  });
});
