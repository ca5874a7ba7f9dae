import { RECOGNISERS } from './recognisers/index.js';
import { referenceOf } from './reference-of.js';
import type { Report } from './report.js';
import { reportMailOf } from './report-mail.js';

/**
 * Reads a received report: a delivery status notification (RFC 3464, RFC 6533), a feedback report (RFC 5965), an
 * automatic answer (RFC 3834), or a bounce in prose. Its first megabyte and 2,000 lines count, and its first 200
 * recipients. Needs the package `postal-mime`.
 *
 * The result is unverified: anybody may write a report.
 *
 * @param bytes the message in RFC 5322 form
 * @returns a finding per recipient; empty for a message that is no report
 */
export async function readReport(bytes: Uint8Array): Promise<Report[]> {
  const mail = await reportMailOf(bytes);
  const reference = referenceOf(mail);
  for (const recognise of RECOGNISERS) {
    const reports = recognise(mail);
    if (reports) return reports.map((report) => ({ ...report, ...reference }));
  }
  return [];
}
