import type { DnsZone } from '../dns/dns-server.js';

/** The DKIM keys of a zone, by their name, each in one string. */
export function keysOf(zone: DnsZone): Record<string, string> {
  const keys = Object.entries(zone).flatMap(([name, { TXT = [] }]) =>
    name.includes('._domainkey.') ? TXT.map((text) => [name, typeof text === 'string' ? text : text.join('')]) : [],
  );
  return Object.fromEntries(keys);
}
