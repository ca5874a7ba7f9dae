import type { LookupAddress, LookupOptions } from 'node:dns';
import { publicLookup } from './public-lookup.js';

function lookUp(addresses: readonly string[] | Error, options: LookupOptions): Promise<string | LookupAddress[]> {
  const lookup = publicLookup(async () => {
    if (addresses instanceof Error) throw addresses;
    return addresses;
  });
  return new Promise((resolve, reject) => {
    lookup('example.com', options, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

describe('publicLookup', () => {
  it('returns the judged addresses', async () => {
    const addresses = ['1.1.1.1', '2606:4700::1111'];
    await expect(lookUp(addresses, { all: true })).resolves.toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    await expect(lookUp(addresses, {})).resolves.toBe('1.1.1.1');
  });

  it('looks up once, so that a second answer cannot differ', async () => {
    const answers = [['1.1.1.1'], ['127.0.0.1']];
    const lookup = publicLookup(async () => answers.shift() ?? []);
    const found = await new Promise((resolve) => lookup('example.com', { all: true }, (_error, list) => resolve(list)));
    expect(found).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(answers).toEqual([['127.0.0.1']]);
  });

  it.each([
    ['a private one', ['127.0.0.1']],
    ['a private one among public ones', ['1.1.1.1', '::1']],
    ['none', []],
    ['something else', ['example.org']],
    ['an error', new Error('ENOTFOUND')],
  ])('fails for %s', async (_what, addresses) => {
    await expect(lookUp(addresses, { all: true })).rejects.toThrow();
    await expect(lookUp(addresses, {})).rejects.toThrow();
  });
});
