import { addressOf } from '../address-of.js';
import { fieldValue } from '../fields.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';

/**
 * Messages by which Apple Mail unsubscribes, marked as automatic answers. Example:
 * https://github.com/sisimai/rb-sisimai, `set-of-emails/maildir/bsd/arf-26.eml`.
 */
export function unsubscribeMessage({ headers }: ReportMail): readonly Report[] | undefined {
  if (fieldValue(headers, 'x-apple-unsubscribe')?.trim().toLowerCase() !== 'true') return undefined;
  const recipient = addressOf(fieldValue(headers, 'from'));
  return [{ kind: 'opt_out', ...(recipient !== undefined && { recipient }) }];
}
