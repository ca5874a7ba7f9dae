import { layOutRate, MARGIN } from './rate-layout';
import type { RateOfRange } from './rates';

const HEIGHT = 120;
const rateOf = (name: RateOfRange['name'], ...rates: (number | undefined)[]): RateOfRange => ({
  name,
  total: 0,
  isEnough: true,
  periods: rates.map((rate, day) => ({ period: `day ${day}`, rate })),
});

describe('layOutRate', () => {
  it('draws the limits above the ground, whatever the rates are', () => {
    for (const rates of [[], [0, 0.01], [0.2], [100]]) {
      const { limits, ground } = layOutRate(rateOf('complaints', ...rates), 400, HEIGHT);
      const [low, high] = limits;
      expect(limits.map(({ limit }) => limit)).toEqual([0.1, 0.3]);
      expect(ground).toBe(HEIGHT - MARGIN.bottom);
      expect(low?.y).toBeLessThan(ground - 2);
      expect(high?.y).toBeLessThan(low?.y ?? 0);
      expect(high?.y).toBeGreaterThan(MARGIN.top);
    }
  });

  it('cuts a rate far above the limits at the top', () => {
    const { points } = layOutRate(rateOf('bounces', 1, 100), 400, HEIGHT);
    expect(points[1]?.y).toBe(MARGIN.top);
    expect(points[0]?.y).toBeGreaterThan(MARGIN.top);
  });

  it('has a gap where there were no recipients', () => {
    const { points, path } = layOutRate(rateOf('bounces', 1, undefined, 1, 2), 400, HEIGHT);
    expect(points.map(({ period }) => period)).toEqual(['day 0', 'day 2', 'day 3']);
    expect(path.match(/M/g)).toHaveLength(2);
  });
});
