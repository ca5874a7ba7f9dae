import { turnCost } from './turn-cost.js';

describe('turnCost', () => {
  it.each([
    [1, 0, 1],
    [50, 0, 50],
    [1, 100_000, 2],
    [2, 25_000, 2.25],
  ])('counts %d recipients and %d bytes as %d', (recipients, bytes, cost) => {
    expect(turnCost(recipients, bytes)).toBe(cost);
  });
});
