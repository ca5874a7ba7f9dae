import { isIP } from 'node:net';
import { isPublicAddress } from '../../shared/net/public-address.js';
import type { Resolve } from '../../shared/net/public-lookup.js';
import { hostOf, portOf } from '../../shared/net/url-policy.js';
import { AddressBlocks } from './address-blocks.js';
import { CallError } from './call-error.js';

const MAX_LENGTH = 2_048;
/** The first port that any program may listen on. */
const UNPRIVILEGED = 1_024;

/**
 * Decides which URLs may be called: `https` to public addresses and to the operator's own blocks, `http` to those
 * blocks only. Ports 80, 443 and from 1024 on.
 */
export class EndpointPolicy {
  private readonly own: AddressBlocks;

  /**
   * @param allowPrivate blocks of the operator's network that may be called too, in CIDR notation
   * @throws Error that names the invalid block
   */
  constructor(allowPrivate: readonly string[]) {
    this.own = new AddressBlocks(allowPrivate);
  }

  /**
   * Parses `text`. A host name is judged by its text only, since its addresses may change; they are judged at each
   * call.
   *
   * @throws Error that says why it may not be called, and reveals nothing of any network
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
    // The URL parser has normalised every spelling of an IPv4 address (`0x7f.1`).
    const addresses = isIP(host) ? [host] : loopbackOf(host);
    if (addresses && !addresses.some((address) => this.allows(url.protocol, address))) {
      throw new Error('must lead to a public address');
    }
    return url;
  }

  /**
   * The addresses of a host, all of which may be connected to: one forbidden address makes the name forbidden.
   * `localhost` is this machine without a lookup (RFC 6761).
   *
   * @throws CallError for a forbidden host; the errors of `resolve`
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
