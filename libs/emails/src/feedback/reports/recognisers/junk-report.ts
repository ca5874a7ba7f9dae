import { addressOf } from '../address-of.js';
import { fieldValue } from '../fields.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';

/**
 * Complaints at Outlook.com (Microsoft's Junk Mail Reporting Program): no ARF, but the message with a field of its own
 * for the recipient, under a fixed subject. Example: https://github.com/sisimai/set-of-emails, `arf-22.eml`.
 */
export function junkReport({ headers, returned }: ReportMail): readonly Report[] | undefined {
  const original = fieldValue(returned, 'x-hmxmroriginalrecipient');
  const isComplaint = /^\s*complaint about message from /i.test(fieldValue(headers, 'subject') ?? '');
  if (original === undefined && !isComplaint) return undefined;
  const recipient = addressOf(original) ?? addressOf(fieldValue(returned, 'to'));
  return [{ kind: 'complained', ...(recipient !== undefined && { recipient }) }];
}
