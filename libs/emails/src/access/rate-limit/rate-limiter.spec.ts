import type { DataSource } from 'typeorm';
import { createRateLimiter } from './rate-limiter.js';

describe('createRateLimiter', () => {
  it.each(['acme', 'a'.repeat(255), '𝒜'.repeat(255)])('counts %.10j under a key that fits the table', async (id) => {
    const keys: string[] = [];
    const query = async (_: string, [key]: [string]) => {
      keys.push(key);
      return [{ points: 1, left: 1_000 }];
    };
    const limiter = createRateLimiter({ perSecond: 2 }, { query } as unknown as DataSource);
    await expect(limiter.consume(id)).resolves.toEqual({ allowed: true, remaining: 1, msBeforeNext: 1_000 });
    expect(keys.map((key) => Array.from(key).length <= 255)).toEqual([true]);
  });
});
