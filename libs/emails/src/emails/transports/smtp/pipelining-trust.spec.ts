import { jest } from '@jest/globals';
import { PipeliningTrust } from './pipelining-trust.js';

afterEach(() => jest.restoreAllMocks());

it('is lost at once when the server is confused, else after three consecutive failures, and comes back', () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const trust = new PipeliningTrust();
  expect(trust.isTrusted).toBe(true);
  trust.failed(true);
  expect(trust.isTrusted).toBe(false);
  clock.mockReturnValue(60_000);
  expect(trust.isTrusted).toBe(true);
  for (const isKept of [false, false, true, false, false]) isKept ? trust.succeeded() : trust.failed(false);
  expect(trust.isTrusted).toBe(true);
  trust.failed(false);
  expect(trust.isTrusted).toBe(false);
});

it('is lost when many envelopes fail among those that are answered, and not when few do', () => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  /** Number of envelopes, up to 3,600, after which it is lost when one of `among` fails. */
  const lostAfter = (among: number) => {
    const trust = new PipeliningTrust();
    for (let sent = 1; sent <= 3_600; sent++) {
      if (sent % among === 0) trust.failed(false);
      else trust.succeeded();
      if (!trust.isTrusted) return sent;
    }
    return undefined;
  };
  expect(lostAfter(2)).toBeLessThanOrEqual(12);
  expect(lostAfter(12)).toBeLessThanOrEqual(120);
  expect(lostAfter(100)).toBeUndefined();
});
