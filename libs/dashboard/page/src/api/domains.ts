import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client';
import { segment } from './segment';

export type DomainStatus = 'not_started' | 'pending' | 'verified' | 'failed';

/** Of the last check; `temporary_failure` was verified before. */
export type RecordStatus = DomainStatus | 'temporary_failure';

/** Times of a DKIM key. */
export interface DomainKey {
  created_at: string;
  /** When its record was found for the first time. */
  verified_at: string | null;
  /** When a newer key took its place. */
  retired_at: string | null;
}

/** A record to publish in DNS, and what is there. Its found values come from strangers. */
export interface DomainRecord {
  record: 'SPF' | 'DKIM' | 'DMARC';
  /** Within the domain. */
  name: string;
  type: 'MX' | 'TXT';
  status: RecordStatus;
  value: string;
  priority?: number;
  /** Null before the first check. */
  found: string[] | null;
  advice: { code: string; text: string }[];
  /** Of a DKIM key of this server. */
  key?: DomainKey;
}

export interface ListedDomain {
  id: string;
  name: string;
  status: DomainStatus;
  created_at: string;
  capabilities: { sending: 'enabled' | 'disabled' };
}

export interface Domain extends ListedDomain {
  records: DomainRecord[];
  recommended: DomainRecord[];
  tls: 'opportunistic' | 'enforced';
  custom_return_path: string;
  checked_at: string | null;
  next_check_at: string | null;
}

/** Interval of reads while records are waited for. Milliseconds. */
const WAITING = 15_000;

/** Interval and limit of reads after a check was asked for. Milliseconds. */
const CHECKING = { interval: 1_000, limit: 30_000 };

/** One domain, read again while its records are waited for. */
export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', id],
    queryFn: ({ signal }) => api<Domain>('GET', `domains/${segment(id)}`, { signal }),
    staleTime: WAITING,
    refetchInterval: ({ state }) => isWaited(state.data) && WAITING,
  });

function isWaited(domain: Domain | undefined): boolean {
  return domain?.next_check_at != null && domain.records.some(({ status }) => status !== 'verified');
}

/** Reads a domain again, and its list. */
export async function refreshDomain(client: QueryClient, id: string): Promise<void> {
  void client.invalidateQueries({ queryKey: ['list', 'domains'] });
  await client.invalidateQueries({ queryKey: ['domain', id] });
}

/**
 * Asks for a check of the records, and waits for it.
 *
 * @returns the domain; as it was, if the check takes longer than 30 s
 * @throws ApiProblem
 */
export async function checkDomain(client: QueryClient, { id, checked_at: before }: Domain): Promise<Domain> {
  await api('POST', `domains/${segment(id)}/verify`);
  const end = Date.now() + CHECKING.limit;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, CHECKING.interval));
    const domain = await client.fetchQuery({ ...domainQuery(id), staleTime: 0 });
    if (domain.checked_at !== before || Date.now() >= end) {
      void client.invalidateQueries({ queryKey: ['list', 'domains'] });
      return domain;
    }
  }
}
