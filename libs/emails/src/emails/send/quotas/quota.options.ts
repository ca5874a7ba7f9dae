/** A number of recipients, or a function of the account; undefined or infinity: no limit. */
export type QuotaLimit = number | ((accountId: string) => number | undefined);

/** Limits of the recipients that an account may send to. Days and months are in UTC. */
export interface QuotaOptions {
  /** Default: no limit. */
  perDay?: QuotaLimit;
  /** Default: no limit. */
  perMonth?: QuotaLimit;
}
