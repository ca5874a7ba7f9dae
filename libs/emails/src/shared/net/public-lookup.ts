import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** All addresses of a host name. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks DNS only. Unlike `dns.lookup` this needs no thread, of which Node has four: name servers that never answer
 * cannot hold up the rest of the process. It knows neither the hosts file nor search domains.
 */
export function dnsResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}

/** A host has no address that may be connected to. */
class NoAddressError extends Error {
  readonly code = 'ENOADDRESS';
}

/** RFC 6761 section 6.3: never asked of a name server. */
const LOCALHOST = /^(.+\.)?localhost\.?$/i;

/**
 * The `lookup` of a socket: its addresses are the ones that are connected to, so nothing can change between this look
 * and the connection (no rebinding). One address that is not allowed makes the whole host forbidden.
 */
export function guardedLookup(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  const allowedAddresses = async (hostname: string) => {
    const addresses = LOCALHOST.test(hostname) ? ['127.0.0.1'] : await resolve(hostname);
    const [first] = addresses;
    if (first === undefined || !addresses.every(isAllowed)) throw new NoAddressError('This host has no fit address.');
    return { first, all: addresses.map((address) => ({ address, family: isIP(address) })) };
  };
  return (hostname, options, callback) => {
    allowedAddresses(hostname).then(
      ({ first, all }) => (options.all ? callback(null, all) : callback(null, first, isIP(first))),
      (error: Error) => callback(error, ''),
    );
  };
}

/** The same for the public internet. */
export function publicLookup(resolve: Resolve): LookupFunction {
  return guardedLookup(resolve, isPublicAddress);
}
