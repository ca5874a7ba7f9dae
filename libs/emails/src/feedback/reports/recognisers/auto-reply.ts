import { isFromDaemon } from '../daemon.js';
import { fieldValue } from '../fields.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';

/** An enhanced status or a reply code: then it reports a failure, whatever its header says. */
const STATUS = /\b[45]\.\d{1,3}\.\d{1,3}\b|\b[45]\d\d[ -][45]\.\d/;

/**
 * Answers of programs, such as an out-of-office (RFC 3834 section 5), and their forms without a standard. The field
 * alone does not tell: Postfix, Exim and sendmail write it in their reports of failures.
 */
export function autoReply({ headers, notice }: ReportMail): readonly Report[] | undefined {
  const submitted = fieldValue(headers, 'auto-submitted')?.trim().toLowerCase() ?? 'no';
  const isAutomatic =
    !submitted.startsWith('no') ||
    fieldValue(headers, 'x-auto-response-suppress') !== undefined ||
    fieldValue(headers, 'x-autoreply') !== undefined ||
    fieldValue(headers, 'x-autorespond') !== undefined ||
    /^auto_?reply$/i.test(fieldValue(headers, 'precedence')?.trim() ?? '');
  return isAutomatic && !isFromDaemon(headers) && !STATUS.test(notice) ? [{ kind: 'auto_reply' }] : undefined;
}
