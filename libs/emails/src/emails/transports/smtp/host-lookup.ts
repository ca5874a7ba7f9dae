import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { dnsResolve, judgedLookup } from '../../../shared/net/public-lookup.js';

/**
 * Finds the addresses of a host by DNS, or else through this machine, for example its hosts file. Their order is
 * random, so that connections spread over them; IPv6 comes first (RFC 8305 section 4).
 *
 * @param localAddress source address of the sockets: they reach only addresses of its family
 */
export function hostLookup(localAddress: string | undefined): LookupFunction {
  const resolve = dnsResolve();
  const family = isIP(localAddress ?? '');
  return judgedLookup(async (hostname) => {
    const byDns = await resolve(hostname);
    const all = byDns.length > 0 ? byDns : (await lookup(hostname, { all: true })).map(({ address }) => address);
    const ordered = shuffled(all).toSorted((a, b) => isIP(b) - isIP(a));
    return family === 0 ? ordered : ordered.filter((address) => isIP(address) === family);
  });
}

function shuffled<T>(items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
