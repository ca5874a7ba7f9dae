import { LookupCache } from './lookup-cache.js';

function setUp(capacity = 10) {
  let time = 0;
  let lookups = 0;
  const cache = new LookupCache<string>({ ttl: 500, capacity, now: () => time });
  return {
    cache,
    find: (key: string, result: string | null = `value of ${key}`) =>
      cache.find(key, async () => {
        lookups += 1;
        return result;
      }),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    lookups: () => lookups,
  };
}

describe('LookupCache', () => {
  it('keeps a result until it is too old', async () => {
    const { find, pass, lookups } = setUp();
    await find('a');
    pass(250);
    await expect(find('a', 'newer')).resolves.toBe('value of a');
    expect(lookups()).toBe(1);
    pass(250);
    await expect(find('a', 'newer')).resolves.toBe('newer');
    expect(lookups()).toBe(2);
  });

  it('refreshes an entry in use in the second half of its lifetime, without a wait for callers', async () => {
    const { cache, find, pass, lookups } = setUp();
    await find('a');
    pass(300);
    await expect(find('a', 'newer')).resolves.toBe('value of a');
    await expect(find('a', 'newest')).resolves.toBe('newer');
    expect(lookups()).toBe(2);
    pass(400);
    await expect(cache.find('a', () => Promise.reject(new Error('no database')))).resolves.toBe('newer');
    pass(100);
    await expect(find('a', 'last')).resolves.toBe('last');
  });

  it('sees a removal at the next lookup, and a clearing at once', async () => {
    const { cache, find, pass } = setUp();
    await find('a');
    pass(300);
    await find('a', null);
    await expect(find('a')).resolves.toBeNull();
    await find('b');
    pass(300);
    let answer: (value: string) => void = () => {};
    await cache.find('b', () => new Promise((resolve) => (answer = resolve)));
    cache.clear();
    answer('older');
    await expect(find('b', 'newer')).resolves.toBe('newer');
  });

  it('remembers that nothing was found', async () => {
    const { find, pass, lookups } = setUp();
    await find('a', null);
    await expect(find('a')).resolves.toBeNull();
    expect(lookups()).toBe(1);
    pass(500);
    await expect(find('a')).resolves.toBe('value of a');
  });

  it('shares a lookup among concurrent callers', async () => {
    const { find, lookups } = setUp();
    await expect(Promise.all([find('a'), find('a'), find('a')])).resolves.toEqual(Array(3).fill('value of a'));
    expect(lookups()).toBe(1);
  });

  it('counts age from the start of a lookup, however long it takes', async () => {
    const { cache, find, pass } = setUp();
    let answer: (value: string) => void = () => {};
    const slow = cache.find('a', () => new Promise((resolve) => (answer = resolve)));
    pass(500);
    await expect(find('a', 'newer')).resolves.toBe('newer');
    answer('older');
    await expect(slow).resolves.toBe('older');
    await expect(find('a', 'newest')).resolves.toBe('newer');
  });

  it('does not remember failures', async () => {
    const { cache, find } = setUp();
    await expect(cache.find('a', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
    await expect(find('a')).resolves.toBe('value of a');
  });

  it('drops the oldest of too many', async () => {
    const { find, lookups } = setUp(2);
    for (const key of ['a', 'b', 'c']) await find(key);
    await find('c');
    await find('b');
    expect(lookups()).toBe(3);
    await find('a');
    expect(lookups()).toBe(4);
  });

  it('is not emptied by a flood of guesses', async () => {
    const { find, lookups } = setUp(2);
    await find('a');
    for (let guess = 0; guess < 100; guess++) await find(`guess ${guess}`, null);
    await find('a');
    expect(lookups()).toBe(101);
  });

  it('drops everything when cleared, also a lookup in progress', async () => {
    const { cache, find, lookups } = setUp();
    await find('a');
    const pending = find('b', null);
    cache.clear();
    await pending;
    await find('a');
    await find('b');
    expect(lookups()).toBe(4);
  });
});
