import type { ReadEnvironment } from './environment-table.js';

/** The checked settings of the host, described in the rows of `ENVIRONMENT`. Durations are in milliseconds. */
export interface Settings extends Omit<ReadEnvironment, 'smtpHops' | 'dashboardPath'> {
  /** One for each of `smtpUrls`, or the one of the local inbox. */
  smtpHops: NonNullable<ReadEnvironment['smtpHops']>;
  /** Undefined: no page. */
  dashboardPath: string | undefined;
}
