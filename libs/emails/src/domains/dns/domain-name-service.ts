/** A mail exchanger (RFC 5321 section 5). */
export interface MxRecord {
  /** Without a final dot; empty for a null MX (RFC 7505). */
  exchange: string;
  priority: number;
}

/**
 * Lookups in DNS. An empty list means that there is no such record (NXDOMAIN or NODATA).
 *
 * @throws LookupError from each method when that is not known: a timeout, SERVFAIL, a refusal
 */
export abstract class DomainNameService {
  /** The strings of each TXT record, not joined. */
  abstract txt(name: string): Promise<readonly (readonly string[])[]>;

  abstract mx(name: string): Promise<readonly MxRecord[]>;

  abstract cname(name: string): Promise<readonly string[]>;
}
