import { jest } from '@jest/globals';
import { AheadTrust } from './ahead-trust.js';

afterEach(() => jest.restoreAllMocks());

it('is lost at once when the server is confused, else after three times in a row, and comes back', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const trust = new AheadTrust();
  expect(trust.isGiven).toBe(true);
  trust.broken(true);
  expect(trust.isGiven).toBe(false);
  clock.mockReturnValue(60_000);
  expect(trust.isGiven).toBe(true);
  for (const isKept of [false, false, true, false, false]) isKept ? trust.kept() : trust.broken(false);
  expect(trust.isGiven).toBe(true);
  trust.broken(false);
  expect(trust.isGiven).toBe(false);
});

it('is lost when many come to nothing among those that are answered, and not when few do', () => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  /** After how many envelopes it is lost, of 3,600, one of which in `among` comes to nothing. */
  const lostAfter = (among: number) => {
    const trust = new AheadTrust();
    for (let sent = 1; sent <= 3_600; sent++) {
      if (sent % among === 0) trust.broken(false);
      else trust.kept();
      if (!trust.isGiven) return sent;
    }
    return undefined;
  };
  expect(lostAfter(2)).toBeLessThanOrEqual(12);
  expect(lostAfter(12)).toBeLessThanOrEqual(120);
  expect(lostAfter(100)).toBeUndefined();
});
