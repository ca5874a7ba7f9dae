import { until } from '../basics/wait-for.js';
import type { DnsServer } from '../dns/dns-server.js';
import { publishRecords, type ShownRecord } from '../dns/publish-records.js';
import type { RunningHost } from '../hosts/host.js';

/** A record in an answer. */
export interface AnsweredRecord extends ShownRecord {
  record: string;
  status: string;
  found: string[] | null;
  advice: { code: string; text: string }[];
  /** Of a DKIM record. */
  key?: { created_at: string; verified_at: string | null; retired_at: string | null };
}

/** A domain in an answer. */
export interface AnsweredDomain {
  id: string;
  name: string;
  status: string;
  records: AnsweredRecord[];
  recommended: AnsweredRecord[];
  checked_at: string | null;
  next_check_at: string | null;
}

/** Requests about the domains of an account. */
export class DomainRequests {
  constructor(
    private readonly host: RunningHost,
    private readonly dns: DnsServer,
    private readonly token?: string,
  ) {}

  async create(body: Record<string, unknown>): Promise<AnsweredDomain> {
    const { status, body: answer, text } = await this.request<AnsweredDomain>('POST', '/domains', body);
    if (status !== 201) throw new Error(`POST /domains answers ${status}: ${text}`);
    return answer;
  }

  async get(id: string): Promise<AnsweredDomain> {
    const { status, body, text } = await this.request<AnsweredDomain>('GET', `/domains/${id}`);
    if (status !== 200) throw new Error(`GET /domains/${id} answers ${status}: ${text}`);
    return body;
  }

  /** Asks for a check, and waits until it is done. */
  async verify(id: string): Promise<AnsweredDomain> {
    const before = (await this.get(id)).checked_at;
    const { status, text } = await this.request('POST', `/domains/${id}/verify`);
    if (status !== 200) throw new Error(`POST /domains/${id}/verify answers ${status}: ${text}`);
    return until(
      async () => {
        const now = await this.get(id);
        return now.checked_at !== before && now;
      },
      { what: 'a check of the domain' },
    );
  }

  /** Creates a domain, publishes its records as a person does, and waits until they are found. */
  async createVerified(body: Record<string, unknown>): Promise<AnsweredDomain> {
    const { id, name, records, recommended } = await this.create(body);
    publishRecords(this.dns.zone, name, [...records, ...recommended]);
    // A lookup may have no answer in time on a slow machine.
    return until(
      async () => {
        const domain = await this.verify(id);
        return domain.status === 'verified' && domain;
      },
      { what: 'a verified domain' },
    );
  }

  request<T>(method: string, path: string, body?: unknown) {
    const options = { ...(body !== undefined && { body }), ...(this.token !== undefined && { token: this.token }) };
    return this.host.request<T>(method, path, options);
  }
}

/** The record of a key in an answer. */
export function keyOf({ records }: AnsweredDomain, selector?: string): AnsweredRecord {
  const keys = records.filter(({ record, name }) => record === 'DKIM' && name.endsWith('._domainkey'));
  const found = keys.find(({ name }) => selector === undefined || name === `${selector}._domainkey`);
  if (!found) throw new Error(`There is no key ${selector ?? ''}.`);
  return found;
}
