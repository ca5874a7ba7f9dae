import { isUuid } from '../../shared/text/is-uuid.js';
import type { IncomingReport } from '../incoming/incoming-report.js';

/** A report of a relay, whose parts may be missing. */
type Parts = { [K in keyof Omit<IncomingReport, 'kind' | 'source'>]?: IncomingReport[K] | undefined };

/** Without the parts that are missing. An invalid id of an email is left out. */
export function relayReport(kind: IncomingReport['kind'], { emailId, ...parts }: Parts): IncomingReport {
  const given = Object.entries({ emailId: isUuid(emailId) ? emailId.toLowerCase() : undefined, ...parts });
  return { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), kind, source: 'relay' };
}
