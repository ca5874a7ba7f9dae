import { addressOf } from '../address-of.js';
import { bounceReport } from '../bounce-report.js';
import { DAEMON, isFromDaemon } from '../daemon.js';
import { fieldValue } from '../fields.js';
import { MAX_RECIPIENTS, MAX_SHARING } from '../limits-of-reports.js';
import { paragraphsOf, replyIn, textsAbout, withoutQuotes } from '../paragraphs.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';
import { REVERSE_PATH } from '../reverse-path.js';
import { stageOf } from '../stage-of.js';

/** Subjects of bounces. */
const SUBJECT =
  /\bundeliver(?:ed|able)\b|\breturned (?:mail|e-?mail|message)\b|\b(?:mail|e-?mail|message|messages)?\b ?\bdeliver(?:y|ed) (?:status|failure|failed|problem|error|notification|report|has failed|not)|\bfailure (?:notice|notification)\b|\b(?:mail|message|e-?mail) (?:could not be delivered|not delivered|delivery|failure|system error|error)\b|\bnon-?deliver\w+|\bnondeliverable\b|\bdelivery (?:delayed|notification)|\breturn(?:ing|ed)? (?:message|mail|to sender)\b|\bunzustellbar\b|\bunable to deliver\b|\bcould not (?:send|deliver)\b|\bnot delivered\b|\bbounced?\b|\bwarning: (?:message|could not send)|\bmail failure\b|\bblocked by\b|\berror sending\b|\bundelivered\b|\bdelayed\b|\bnon (?:remis|recapit)|\bno (?:se puede )?entreg|\bn[aã]o (?:foi )?(?:[eé] poss[ií]vel )?entreg|\bmancato recapito|недостав|не (?:удается )?достав|配信(?:不能|エラー)|送信エラー|未送达|(?:无法|無法)(?:送达|投递|送達)|退信|退回/i;
const AWAY =
  /\bout[- ]of[- ](?:the )?office\b|\bauto(?:matic|mated)?[- ]?(?:reply|response|responder|antwort)\b|\bvacation\b|\babwesen\w*|\bauto:|\bautomatische antwort\b|\bréponse automatique\b|\brespuesta automática\b|\bon (?:holiday|leave)\b|\baway from\b|自動返信|不在/i;
const ANSWER = /^\s*(?:re|fwd?|aw|wg|sv|vs|tr|rv|antw|res|enc|回复|答复|转发)\s*[:：]/i;
/** A program says that it failed. */
const FAILED =
  /\b(?:could|can) ?n(?:o|')t be delivered\b|\bnot (?:been |be )?delivered\b|\bundeliver|\bdelivery\b[^.]{0,30}\bfailed\b|\bfailed\b[^.]{0,60}\b(?:recipient|address)|\bn'a pas pu\b|\b[45]\d\d[ -][45]\.\d\.\d/i;
const DELIVERED = /\bsuccessfully (?:delivered|relayed)\b/i;
/** The server still tries. */
const DELAY =
  /\b(?:has|have|had|was|were|is|are)? ?not (?:yet )?(?:been )?delivered (?:yet|so far)\b|\bnot yet been delivered\b|\bdelivery (?:is |has been |was )?delayed\b|\bdelayed \d+ hours?\b|\bstill (?:trying|being (?:re)?tried|attempting|in the queue)\b|\bwill (?:continue|keep|be retried|retry|try|be re-?tried)\b[^.]{0,40}(?:try|deliver|attempt|until|again|for)\b|\b(?:no action is required|you do not need to resend|do not need to resend|this is a warning (?:message )?only)\b/i;
const GAVE_UP =
  /\bpermanent(?:ly)?\b|\bgiv(?:en|ing) up\b|\bgave up\b|\bcould not be delivered to\b.*\bfailed\b|\bwill not be retried\b/i;

/** A server refused permanently. */
const REFUSED = /\b5\d\d[ -]|\b5\.\d{1,3}\.\d{1,3}\b|\bno such\b|\bunknown\b|\bdoes not exist\b|\bfatal\b/i;

/** Bounces that only people can read: most reports of older and of small servers. */
export function prose(mail: ReportMail): readonly Report[] | undefined {
  const { headers, notice, returned } = mail;
  const subject = fieldValue(headers, 'subject') ?? '';
  const failed = fieldValue(headers, 'x-failed-recipients');
  // A report whose part for programs names no recipient.
  const isDaemon = isFromDaemon(headers) || mail.deliveryStatus.length > 0;
  if (failed === undefined && !SUBJECT.test(subject)) {
    if (AWAY.test(subject)) return [{ kind: 'auto_reply' }];
    if (!isDaemon) return undefined;
  }
  if (!isDaemon && AWAY.test(subject)) return [{ kind: 'auto_reply' }];
  // Programs report from nobody (RFC 5321 section 4.5.5).
  if (!isDaemon && failed === undefined && hasSender(headers)) return undefined;
  // A person answers one, or forwards it.
  if (!isDaemon && ANSWER.test(subject) && !FAILED.test(notice)) return undefined;
  if (DELIVERED.test(notice) && !FAILED.test(notice)) return [{ kind: 'noted' }];
  const kind = isDelay(subject, notice) ? 'deferred' : 'bounced';
  const title = fieldValue(returned, 'subject');
  const own = addressOf(fieldValue(headers, 'to'))?.toLowerCase();
  const paragraphs = paragraphsOf(notice, (address) => address !== own && !DAEMON.test(address));
  const named = (failed?.split(',', MAX_RECIPIENTS) ?? []).map(addressOf).filter((address) => address !== undefined);
  const fallback = addressOf(fieldValue(returned, 'to'));
  const recipients =
    named.length > 0 ? named : paragraphs.size > 0 ? [...paragraphs.keys()] : fallback ? [fallback] : [undefined];
  const unquoted = recipients.length <= MAX_SHARING ? withoutQuotes(notice, title) : undefined;
  const stageOfAll = stageOf(notice);
  return recipients.slice(0, MAX_RECIPIENTS).map((recipient) => {
    const paragraph = recipient === undefined ? undefined : paragraphs.get(recipient.toLowerCase());
    const texts = textsAbout(paragraph, notice, recipients.length === 1, title);
    const reply = (paragraph && replyIn(paragraph)) ?? (recipients.length === 1 ? replyIn(notice) : undefined);
    const stage = paragraph === undefined ? stageOfAll : stageOf(paragraph);
    const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(reply ?? '')?.[0];
    const found: Report = {
      kind,
      ...(recipient !== undefined && { recipient }),
      ...(status !== undefined && { status }),
      ...(stage && { stage }),
    };
    return bounceReport(found, reply, texts, unquoted);
  });
}

/** True if the receiver noted a reverse-path that is a person's. A `Return-Path` may come from a list in between. */
function hasSender(headers: ReportMail['headers']): boolean {
  const path = fieldValue(headers, REVERSE_PATH);
  return path !== undefined && /[^\s<>]/.test(path) && !DAEMON.test(path);
}

/** A subject alone says little: programs also warn of what failed. */
function isDelay(subject: string, notice: string): boolean {
  if (GAVE_UP.test(notice)) return false;
  return DELAY.test(subject) || DELAY.test(notice) || (/\bwarning\b|\bdelay/i.test(subject) && !REFUSED.test(notice));
}
