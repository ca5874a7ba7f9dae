import { BoundedNames } from '../dns/bounded-names.js';
import type { DomainNameService } from '../dns/domain-name-service.js';
import { LookupError } from '../dns/lookup.error.js';
import type { WantedRecord } from '../records/wanted-record.js';
import type { Finding } from './finding.js';
import { type LookedUpDomain, lookUpRecord } from './look-up-record.js';

/** Findings by the key of the record; the code of the lookup that failed in place of one. */
export type Findings = ReadonlyMap<string, Finding | string>;

/** Looks all records of a domain up at the same time. Those without an answer before the signal ends are not known. */
export async function lookUpDomain(
  dns: DomainNameService,
  records: readonly WantedRecord[],
  domain: LookedUpDomain,
  signal: AbortSignal,
): Promise<Findings> {
  const bounded = new BoundedNames(dns, signal);
  const look = async (record: WantedRecord) => {
    const finding = await lookUpRecord(bounded, record, domain).catch((error: unknown) => {
      if (error instanceof LookupError) return error.code;
      throw error;
    });
    return [record.key, finding] as const;
  };
  return new Map(await Promise.all(records.map(look)));
}
