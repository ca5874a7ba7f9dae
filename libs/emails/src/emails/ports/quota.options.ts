/** A number of recipients, or a function of the account; undefined or infinity: no limit. */
export type QuotaLimit = number | ((accountId: string) => number | undefined);

/** Limits of the recipients that an account may send to. Days and months are in UTC. */
export interface QuotaOptions {
  /** Default: no limit. */
  perDay?: QuotaLimit;
  /** Default: no limit. */
  perMonth?: QuotaLimit;
}

/**
 * The limit of an account; infinity: none.
 *
 * @throws TypeError when the host's function returns no number of recipients
 */
export function limitOf(limit: QuotaLimit | undefined, accountId: string): number {
  const value = typeof limit === 'function' ? limit(accountId) : limit;
  if (value === undefined) return Number.POSITIVE_INFINITY;
  if (typeof value === 'number' && value >= 0) return value;
  throw new TypeError('A function in `quota` must return a number of recipients, or undefined.');
}
