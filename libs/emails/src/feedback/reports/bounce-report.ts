import { judgeReply } from '../../index.js';
import { storableText } from '../../shared/text/storable-text.js';
import { MAX_REPLY } from './limits-of-reports.js';
import type { Report } from './report.js';

/**
 * Completes a report by the words of the server.
 *
 * @param reply the server's words, if the report has them apart
 * @param notice read where those are missing, or say nothing
 */
export function bounceReport(report: Report, reply: string | undefined, notice: string): Report {
  const words = reply || undefined;
  const kept = words === undefined ? report : { ...report, reply: storableText(words, MAX_REPLY) };
  if (report.kind !== 'bounced') return kept;
  const { status, stage, remoteMta: host } = report;
  const judge = (text: string) => judgeReply({ text, status, stage, host });
  const first = judge(words ?? '');
  const { kind: bounce, ...judged } = first.reasonCode === 'unrecognised_reply' ? judge(notice) : first;
  const { reasonCode, operator } = judged;
  return { ...kept, bounce, reasonCode, ...(operator !== undefined && { operator }) };
}
