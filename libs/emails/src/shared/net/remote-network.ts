import { isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Network under which requests of an address are counted: an IPv4 address itself, or the /64 of an IPv6 address, the
 * smallest block that a customer of a network gets (RFC 6177).
 *
 * @param address as Node writes it; an IPv4 address may be mapped into IPv6, a link-local one may have a zone
 */
export function remoteNetwork(address: string): string {
  const [, mapped] = MAPPED.exec(address) ?? [];
  if (mapped !== undefined) {
    return mapped;
  }
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) {
    return address;
  }
  const [head = '', tail = ''] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = plain.includes('::') ? new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
