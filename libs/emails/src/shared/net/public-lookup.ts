import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** All addresses of a host name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Queries DNS only. Unlike `dns.lookup` this uses none of Node's four threads, so name servers that never answer cannot
 * block the rest of the process. It ignores the hosts file and search domains.
 */
export function dnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/**
 * The `lookup` of a socket: the socket connects to these addresses, so nothing can change between the check and the
 * connection (no rebinding). A single non-public address makes the whole host forbidden.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return judgedLookup(async (hostname) => {
    const addresses = await resolve(hostname);
    if (!addresses.every(isPublicAddress)) throw new Error('This host has an address that is not public.');
    return addresses;
  });
}

/** The same with addresses from a judging `resolve`, which rejects for a forbidden host. */
export function judgedLookup(resolve: Resolve): LookupFunction {
  const find = async (hostname: string) => {
    const addresses = await resolve(hostname);
    const [first] = addresses;
    if (first === undefined) throw new Error('This host has no address.');
    return { first, all: addresses.map((address) => ({ address, family: isIP(address) })) };
  };
  return (hostname, options, callback) => {
    find(hostname).then(
      ({ first, all }) => (options.all ? callback(null, all) : callback(null, first, isIP(first))),
      (error: Error) => callback(error, ''),
    );
  };
}
