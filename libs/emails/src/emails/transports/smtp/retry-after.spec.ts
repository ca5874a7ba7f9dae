import { retryAfter } from './retry-after.js';

describe('retryAfter', () => {
  it.each([
    ['450 4.7.1 Greylisted, please try again in 300 seconds', 300_000],
    ['451 4.7.1 Try again after 5 minutes', 300_000],
    ['450 retry in 60s', 60_000],
    ['421 Too many connections, wait 1 hour', 3_600_000],
    ['451 Please retry after 15 min.', 900_000],
    ['451 try again in 999999 hours', 86_400_000],
  ])('reads %s', (text, wait) => {
    expect(retryAfter(text)).toBe(wait);
  });

  it.each(['451 4.3.0 Try again later', '452 Mailbox full', '450 retry 4.7.1 policy', '', '4'.repeat(10_000)])(
    'finds no time in %s',
    (text) => {
      expect(retryAfter(text)).toBeUndefined();
    },
  );
});
