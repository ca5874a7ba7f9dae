import type { DnsZone } from './dns-records.js';

/** A record as `GET /domains/:id` shows it. */
export interface ShownRecord {
  type: string;
  /** Relative to the domain; empty or `@` for itself. */
  name: string;
  value: string;
  priority?: number;
}

/** Copies records into a zone, as a person does at a provider of DNS: next to those that are there. */
export function publishRecords(zone: DnsZone, domain: string, records: readonly ShownRecord[]): void {
  for (const { type, name, value, priority = 0 } of records) {
    const full = name === '' || name === '@' ? domain : `${name}.${domain}`;
    const there = zone[full] ?? {};
    if (type === 'TXT') zone[full] = { ...there, TXT: [...(there.TXT ?? []), value] };
    else if (type === 'MX') zone[full] = { ...there, MX: [...(there.MX ?? []), { exchange: value, priority }] };
    else if (type === 'CNAME') zone[full] = { ...there, CNAME: value };
    else throw new Error(`No record of the type ${type} can be published.`);
  }
}
