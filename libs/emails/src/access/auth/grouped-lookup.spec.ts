import { GroupedLookup } from './grouped-lookup.js';

function setUp(maxSize = 1_000) {
  const asked: string[][] = [];
  let failing = false;
  const lookup = new GroupedLookup<string>(
    async (keys) => {
      asked.push([...keys]);
      if (failing) throw new Error('no database');
      return new Map(keys.filter((key) => key.startsWith('known')).map((key) => [key, `value of ${key}`]));
    },
    { maxSize, pace: 1 },
  );
  return { lookup, asked, fail: (on: boolean) => (failing = on) };
}

describe('GroupedLookup', () => {
  it('looks the first up at once, and groups those that arrive meanwhile', async () => {
    const { lookup, asked } = setUp();
    const keys = Array.from({ length: 500 }, (_, n) => (n === 250 ? 'known' : `guess ${n}`));
    const results = await Promise.all(keys.map((key) => lookup.find(key)));
    expect(asked).toEqual([keys.slice(0, 1), keys.slice(1)]);
    expect(results.filter((result) => result !== null)).toEqual(['value of known']);
    expect(results[250]).toBe('value of known');
  });

  it('keeps their order, up to the limit of a group', async () => {
    const { lookup, asked } = setUp(2);
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => lookup.find(key)));
    expect(asked).toEqual([['a'], ['b', 'c'], ['d']]);
    await lookup.find('e');
    expect(asked.at(-1)).toEqual(['e']);
  });

  it('rejects all waiting lookups at a failure, and goes on', async () => {
    const { lookup, fail } = setUp();
    fail(true);
    const results = await Promise.allSettled([lookup.find('known'), lookup.find('other')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fail(false);
    await expect(lookup.find('known')).resolves.toBe('value of known');
  });
});
