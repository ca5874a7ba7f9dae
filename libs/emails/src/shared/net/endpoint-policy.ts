import { isIP } from 'node:net';
import { AddressBlocks } from './address-blocks.js';
import { CallError } from './call-error.js';
import { isPublicAddress } from './public-address.js';
import type { Resolve } from './public-lookup.js';
import { hostOf, portOf } from './url-policy.js';

const MAX_LENGTH = 2_048;
/** The first port that any program may listen on. */
const UNPRIVILEGED = 1_024;

/**
 * Which URLs may be called again and again: `https` to public addresses and to those of the operator's own blocks, `http`
 * to these only. Ports 80, 443 and from 1024 on.
 */
export class EndpointPolicy {
  private readonly own: AddressBlocks;

  /**
   * @param allowPrivate blocks of the operator's own network that may be called too, in CIDR notation
   * @throws Error that names the one that is no block
   */
  constructor(allowPrivate: readonly string[]) {
    this.own = new AddressBlocks(allowPrivate);
  }

  /**
   * Returns the URL that `text` stands for. A host name is judged by its text only, since what it stands for may change:
   * its addresses are judged when it is called.
   *
   * @throws Error that says why it may not be called, with no word about any network
   */
  admit(text: string): URL {
    if (text.length > MAX_LENGTH) throw new Error(`must have at most ${MAX_LENGTH} characters`);
    if (!URL.canParse(text)) throw new Error('must be a URL');
    const url = new URL(text);
    const isPlain = url.protocol === 'http:' && !this.own.none;
    if (url.protocol !== 'https:' && !isPlain) throw new Error('must begin with https://');
    if (url.username !== '' || url.password !== '') throw new Error('must have no credentials');
    if (text.includes('#')) throw new Error('must have no fragment');
    const port = portOf(url);
    if (port !== 80 && port !== 443 && port < UNPRIVILEGED)
      throw new Error('must have port 80, 443, or one from 1024 on');
    const host = hostOf(url);
    // The URL parser has brought every spelling of an IPv4 address (`0x7f.1`) into the usual one.
    const addresses = isIP(host) ? [host] : loopbackOf(host);
    if (addresses && !addresses.some((address) => this.allows(url.protocol, address))) {
      throw new Error('must lead to a public address');
    }
    return url;
  }

  /**
   * The addresses of a host, all of which may be connected to: a name is forbidden when one of its addresses is. `localhost` is not asked for: it is this machine (RFC 6761).
   *
   * @throws CallError when it is forbidden; what `resolve` throws
   */
  async addressesOf(protocol: string, hostname: string, resolve: Resolve): Promise<readonly string[]> {
    const loopback = loopbackOf(hostname)?.filter((address) => this.allows(protocol, address));
    const addresses = loopback ?? (await resolve(hostname));
    if (!addresses.every((address) => this.allows(protocol, address))) throw new CallError('address not allowed');
    return addresses;
  }

  private allows(protocol: string, address: string): boolean {
    return this.own.include(address) || (protocol === 'https:' && isPublicAddress(address));
  }
}

function loopbackOf(hostname: string): string[] | undefined {
  return /(^|\.)localhost\.?$/.test(hostname) ? ['127.0.0.1', '::1'] : undefined;
}
