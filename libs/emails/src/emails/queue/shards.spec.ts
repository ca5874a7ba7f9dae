import { queueAt, queueNameOf, queueNames, shardOf } from './shards.js';

describe('queueNames', () => {
  it('keeps the names of the first queues for any number of shards', () => {
    expect(queueNames(1)).toEqual(['{emails}', '{emails-bulk}']);
    expect(queueNames(2)).toEqual(['{emails}', '{emails-1}', '{emails-bulk}', '{emails-bulk-1}']);
  });
});

describe('queueNameOf', () => {
  it('contains the identity of the database within the hash tag', () => {
    expect(queueNames(2).map((name) => queueNameOf(name, 'id'))).toEqual([
      '{emails-id}',
      '{emails-id-1}',
      '{emails-id-bulk}',
      '{emails-id-bulk-1}',
    ]);
  });
});

describe('queueAt', () => {
  it('is the shard of the account, in each lane', () => {
    const at = queueNames(3).map((_, n) => n);
    for (const account of ['a', 'b', 'c', 'd', 'e']) {
      expect(queueAt(account, false, 3)).toBe(shardOf(account, 3));
      expect(queueAt(account, true, 3)).toBe(shardOf(account, 3) + 3);
      expect(at).toContain(queueAt(account, true, 3));
    }
  });
});

describe('shardOf', () => {
  const accounts = Array.from({ length: 3_000 }, (_, n) => `account-${n}`);

  it('is the same each time', () => {
    expect(accounts.map((account) => shardOf(account, 4))).toEqual(accounts.map((account) => shardOf(account, 4)));
    expect(shardOf('anybody', 1)).toBe(0);
  });

  it('spreads accounts evenly', () => {
    const sizes = [0, 0, 0];
    for (const account of accounts) sizes[shardOf(account, 3)]!++;
    for (const size of sizes) expect(size).toBeGreaterThan(900);
  });
});
