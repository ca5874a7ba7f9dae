import type { LookupAddress } from 'node:dns';
import { promisify } from 'node:util';
import { hostLookup } from './host-lookup.js';

const addressesOf = (localAddress: string | undefined, host: string) =>
  promisify<string, object, LookupAddress[]>(hostLookup(localAddress) as never)(host, { all: true });

it('finds names that this machine knows, IPv6 first', async () => {
  const families = (await addressesOf(undefined, 'localhost')).map(({ family }) => family);
  expect(families).toContain(4);
  expect(families).toEqual(families.toSorted((a, b) => b - a));
});

it('finds only addresses that the local address reaches', async () => {
  expect(await addressesOf('127.0.0.1', 'localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

it('rejects an unknown name', async () => {
  await expect(addressesOf(undefined, 'nowhere.invalid')).rejects.toMatchObject({ syscall: 'getaddrinfo' });
});
