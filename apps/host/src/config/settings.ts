import type { ReadEnvironment } from './environment-table.js';

/** The checked settings of the host, described in the rows of `ENVIRONMENT`. Durations are in milliseconds. */
export interface Settings extends Omit<ReadEnvironment, 'smtpHop' | 'dashboardPath'> {
  smtpHop: NonNullable<ReadEnvironment['smtpHop']>;
  /** Undefined: no page. */
  dashboardPath: string | undefined;
}
