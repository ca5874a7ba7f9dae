import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * True for an address that belongs to the public internet. False for everything else: private, loopback, link-local
 * (where metadata services live), shared (RFC 6598), documentation, benchmarking, multicast, reserved and unassigned
 * addresses, and IPv6 addresses that carry an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo), which could be any of
 * these.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv6' ? parsed.match(GLOBAL_IPV6) : address !== AZURE_PLATFORM;
}

/** All of IPv6 that IANA has opened for global unicast. Excludes `::/96` and unassigned addresses. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** A service of the host beneath every virtual machine in Azure, at an address that looks public. */
const AZURE_PLATFORM = '168.63.129.16';
