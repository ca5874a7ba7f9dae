import { isUuid } from '../../shared/text/is-uuid.js';
import type { IncomingReport } from '../incoming/incoming-report.js';

/** A report of a relay. */
export interface RelayReport extends IncomingReport {
  /**
   * Time of the event, or of an earlier one after the relay accepted the message, by the relay's clock. Milliseconds since
   * 1970.
   */
  at?: number;
}

/** A report whose parts may be missing. */
type Parts = { [K in keyof Omit<RelayReport, 'kind' | 'source'>]?: RelayReport[K] | undefined };

/** Without the parts that are missing. An invalid id of an email is left out, and a time that is NaN. */
export function relayReport(kind: IncomingReport['kind'], { emailId, at, ...parts }: Parts): RelayReport {
  const given = Object.entries({
    emailId: isUuid(emailId) ? emailId.toLowerCase() : undefined,
    at: Number.isNaN(at) ? undefined : at,
    ...parts,
  });
  return { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), kind, source: 'relay' };
}
