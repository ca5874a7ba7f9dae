import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Matches IPv4 addresses written as IPv6 too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * True if a request was made on this machine and for it: not through a proxy, and not by a page whose own name resolves
 * to this machine (DNS rebinding), which calls this server by that name.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress ?? '';
  if (headers.forwarded || headers['x-forwarded-for']) return false;
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') && isOwnName(headers.host ?? '');
}

/** @param host the name and the port of a `Host` header (RFC 9110 section 7.2) */
function isOwnName(host: string): boolean {
  const [, bracketed, plain = ''] = /^(?:\[(.+)\]|([^:]*))(?::\d+)?$/.exec(host) ?? [];
  return isIP(bracketed ?? plain) !== 0 || /^(.+\.)?localhost$/i.test(plain);
}
