import { isAboutAddress } from '../../shared/replies/bounce-reasons.js';
import { judgeReply, type ReplyJudgement } from '../../shared/replies/judge-reply.js';
import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import type { Report } from './report.js';

/**
 * Completes a report by what its words mean.
 *
 * @param reply the server's words, if the report has them apart
 * @param others texts that are judged where the reply is missing or says nothing, the nearest first
 * @param shared text about several recipients, the last to be judged: it condemns none of them
 */
export function bounceReport(
  report: Report,
  reply: string | undefined,
  others: readonly string[],
  shared?: string,
): Report {
  const kept = reply ? { ...report, reply: storableText(reply, MAX_REASON) } : report;
  if (report.kind !== 'bounced') return kept;
  const { status, stage, remoteMta: host } = report;
  let judged: ReplyJudgement | undefined;
  for (const text of [reply ?? '', ...others]) {
    judged = judgeReply({ text, status, stage, host });
    if (judged.reasonCode !== 'unrecognised_reply') break;
  }
  if (shared !== undefined && judged?.reasonCode === 'unrecognised_reply') {
    const common = judgeReply({ text: shared, status, stage, host });
    if (!isAboutAddress(common.reasonCode)) judged = common;
  }
  if (!judged) return kept;
  const { kind: bounce, reasonCode, operator } = judged;
  return { ...kept, bounce, reasonCode, ...(operator !== undefined && { operator }) };
}
