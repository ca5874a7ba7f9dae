import { addressOf } from '../address-of.js';
import { fieldGroups, fieldValue } from '../fields.js';
import { MAX_RECIPIENTS } from '../limits-of-reports.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';

/** RFC 5965 section 7.3, RFC 6650 section 6 (opt-out), RFC 6591 (auth-failure), RFC 6430 (not-spam). */
const KINDS: Readonly<Record<string, Report['kind']>> = {
  abuse: 'complained',
  fraud: 'complained',
  virus: 'complained',
  other: 'complained',
  'opt-out': 'opt_out',
  'opt-out-list': 'opt_out',
  'not-spam': 'noted',
  'auth-failure': 'noted',
  dmarc: 'noted',
};

/** Reports of complaints in the Abuse Reporting Format (RFC 5965). Its recipients may be hidden. */
export function feedbackReport({ feedback, returned }: ReportMail): readonly Report[] | undefined {
  if (feedback.length === 0) return undefined;
  const fields = feedback.flatMap((text) => fieldGroups(text).flat());
  const type = /^[a-z-]+/i.exec(fieldValue(fields, 'feedback-type') ?? '')?.[0].toLowerCase();
  // RFC 5965 section 3.1: an unknown type is treated as `other`.
  const kind =
    type === undefined ? 'noted' : Object.hasOwn(KINDS, type) ? (KINDS[type] as Report['kind']) : 'complained';
  const named = fields
    .filter(({ name }) => name === 'original-rcpt-to' || name === 'removal-recipient')
    .map(({ value }) => addressOf(value))
    .filter((address) => address !== undefined);
  const recipients = named.length > 0 ? named : [addressOf(fieldValue(returned, 'to'))];
  return [...new Set(recipients)]
    .slice(0, MAX_RECIPIENTS)
    .map((recipient) => ({ kind, ...(recipient !== undefined && { recipient }) }));
}
