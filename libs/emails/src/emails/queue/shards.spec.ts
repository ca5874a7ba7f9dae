import { queueNameOf, queueNames, shardOf } from './shards.js';

describe('queueNames', () => {
  it('keeps the name of the first queue for any number of queues', () => {
    expect(queueNames(1)).toEqual(['{emails}']);
    expect(queueNames(3)).toEqual(['{emails}', '{emails-1}', '{emails-2}']);
  });
});

describe('queueNameOf', () => {
  it('contains the identity of the database within the hash tag', () => {
    expect(queueNames(2).map((name) => queueNameOf(name, 'id'))).toEqual(['{emails-id}', '{emails-id-1}']);
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
