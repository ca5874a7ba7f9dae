import { nextCheckAt } from './check-times.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SINCE = new Date('2026-11-27T12:00:00Z');

/** Minutes of the checks of a domain whose records never come, each a second late. */
function checks(count: number): number[] {
  const minutes: number[] = [];
  let now = SINCE;
  for (let n = 0; n < count; n++) {
    const next = nextCheckAt({ since: SINCE, now: new Date(now.getTime() + 1_000), isWaiting: true }, () => 0.5);
    minutes.push((next.getTime() - SINCE.getTime()) / MINUTE);
    now = next;
  }
  return minutes;
}

describe('nextCheckAt', () => {
  it('is after 1, 5 and 15 minutes, then hourly for 72 h, then every 6 h', () => {
    const minutes = checks(77);
    expect(minutes.slice(0, 6)).toEqual([1, 5, 15, 60, 120, 180]);
    expect(minutes[74]).toBe(72 * 60);
    expect(minutes[75]).toBeCloseTo(78 * 60, 0);
    expect(minutes[76]).toBeCloseTo(84 * 60, 0);
  });

  it('is after 6 h once all records are there, spread by a tenth', () => {
    const hours = [0, 0.5, 1].map((random) => {
      const next = nextCheckAt({ since: SINCE, now: SINCE, isWaiting: false }, () => random);
      return (next.getTime() - SINCE.getTime()) / HOUR;
    });
    expect(hours.map((one) => one.toFixed(1))).toEqual(['5.4', '6.0', '6.6']);
  });
});
