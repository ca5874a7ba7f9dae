import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

export interface UrlPolicyOptions {
  /** Allowed ports. */
  ports: readonly number[];
  /** `host` or `host:port`; an IPv6 address with a port in brackets. Exempt from the address and the port rule. */
  allowedHosts: readonly string[];
}

/**
 * Decides which URLs of strangers may be called. Host names are judged here by their text only, and again by address.
 */
export class UrlPolicy {
  private readonly allowedHosts: ReadonlySet<string>;

  constructor(private readonly options: UrlPolicyOptions) {
    this.allowedHosts = new Set(options.allowedHosts.map((host) => host.toLowerCase()));
  }

  /**
   * Parses `text`.
   *
   * @param from the URL that redirected to it
   * @throws Error for a forbidden URL
   */
  admit(text: string, from?: URL): URL {
    if (text.length > MAX_LENGTH) throw new Error('This URL is too long.');
    const url = new URL(text, from);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('This scheme is not allowed.');
    if (from?.protocol === 'https:' && url.protocol === 'http:') throw new Error('A redirect must not end encryption.');
    if (url.username !== '' || url.password !== '') throw new Error('Credentials in a URL are not allowed.');
    if (this.isExempt(url)) return url;
    if (!this.options.ports.includes(portOf(url))) throw new Error('This port is not allowed.');
    const host = hostOf(url);
    // The URL parser has normalised every spelling of an IPv4 address (`0x7f.1`).
    if (isIP(host) !== 0 && !isPublicAddress(host)) throw new Error('This address is not public.');
    return url;
  }

  /** True for a target that the operator allows explicitly. */
  isExempt(url: URL): boolean {
    return [hostOf(url), url.hostname, `${url.hostname}:${portOf(url)}`].some((host) => this.allowedHosts.has(host));
  }
}

/** Without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

const MAX_LENGTH = 4_096;
