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
