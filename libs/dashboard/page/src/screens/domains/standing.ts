import type { Domain, DomainRecord } from '../../api/domains';

type Parts = Pick<Domain, 'records'>;

const isRetired = ({ key }: DomainRecord) => key !== undefined && key.retired_at !== null;

/** A key whose record nobody needs any more: a newer one signs. */
export function recordsToKeep({ records }: Parts): DomainRecord[] {
  return records.filter((record) => !isRetired(record));
}

/** Number of records that are missing or wrong. Of several keys one is enough, as the server counts. */
export function recordsLeft(domain: Parts): number {
  const needed = recordsToKeep(domain);
  const keys = needed.filter(({ key }) => key !== undefined);
  const others = needed.filter(({ key, status }) => key === undefined && status !== 'verified');
  const lacksKey = keys.length > 0 && !keys.some(({ status }) => status === 'verified');
  return others.length + (lacksKey ? 1 : 0);
}

/** Keys from the oldest to the newest, with what each does. */
export type KeyState = 'signs' | 'waits' | 'replaced';

export function keyState({ verified_at, retired_at }: NonNullable<DomainRecord['key']>): KeyState {
  if (retired_at !== null) return 'replaced';
  return verified_at === null ? 'waits' : 'signs';
}

/** The name of a record with its domain: `send.example.com`. */
export function fullName({ name }: Pick<DomainRecord, 'name'>, domain: string): string {
  return name === '' || name === '@' ? domain : `${name}.${domain}`;
}
