import { addressOf } from '../address-of.js';
import { bounceReport } from '../bounce-report.js';
import { fieldGroups, fieldValue } from '../fields.js';
import { textsAbout } from '../paragraphs.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';

/** RFC 5429 section 2.2: a filter of the recipient refused the message, after it was accepted. */
const REFUSED = /\breject/i;

/**
 * Disposition notifications (RFC 8098): receipts, which change nothing, and refusals of a filter or of a full mailbox,
 * which Dovecot sends in this form.
 */
export function dispositionNotification(mail: ReportMail): readonly Report[] | undefined {
  const { disposition, headers, notice, returned } = mail;
  if (disposition.length === 0) return undefined;
  const fields = disposition.flatMap((text) => fieldGroups(text).flat());
  const recipient =
    addressOf(fieldValue(fields, 'final-recipient')) ?? addressOf(fieldValue(fields, 'original-recipient'));
  const named = recipient === undefined ? {} : { recipient };
  const isAutomatic = /\bautomatic-action\b[^;]*;\s*deleted\b/i.test(fieldValue(fields, 'disposition') ?? '');
  if (!isAutomatic || !REFUSED.test(`${fieldValue(headers, 'subject') ?? ''}\n${notice}`)) {
    return [{ kind: 'noted', ...named }];
  }
  return [
    bounceReport(
      { kind: 'bounced', ...named },
      undefined,
      textsAbout(undefined, notice, true, fieldValue(returned, 'subject')),
    ),
  ];
}
