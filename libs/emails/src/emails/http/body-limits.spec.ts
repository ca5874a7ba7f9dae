import { bodyLimits } from './body-limits.js';

describe('bodyLimits', () => {
  it.each([
    [undefined, 126_000_000, 58_000_000],
    [{ messageLimit: 300_000 }, 126_000_000, 58_000_000],
    [{ messageLimit: 60_000_000 }, 126_000_000, 87_000_000],
    [{ bodyLimit: 1_000_000 }, 1_000_000, 1_000_000],
    [{ bodyLimit: 400_000_000, messageLimit: 200_000_000 }, 400_000_000, 290_000_000],
  ])('limits a body with the options %j to %i bytes, of which %i are kept', (http, wire, kept) => {
    expect(bodyLimits(http)).toEqual({ wire, kept });
  });
});
