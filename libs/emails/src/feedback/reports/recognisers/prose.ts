import { addressOf } from '../address-of.js';
import { bounceReport } from '../bounce-report.js';
import { fieldValue, linesOf } from '../fields.js';
import { MAX_LINE, MAX_RECIPIENTS } from '../limits-of-reports.js';
import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';
import { stageOf } from '../stage-of.js';

/** Names under which programs report. */
const DAEMON =
  /\bmailer-?daemon\b|\bpost_?master\b|\bmail delivery (?:system|subsystem|service)\b|\bmdaemon\b|\bmail(?: |-)?system\b|\bmail administrator\b|\bmailerdaemon\b|\bdelivery[-. ](?:subsystem|status|notification)|\bbounce[sd]?\b|\bsystem administrator\b|\bmicrosoft exchange\b/i;
/** Subjects of bounces. */
const SUBJECT =
  /\bundeliver(?:ed|able)\b|\breturned (?:mail|e-?mail|message)\b|\b(?:mail|e-?mail|message|messages)?\b ?\bdeliver(?:y|ed) (?:status|failure|failed|problem|error|notification|report|has failed|not)|\bfailure (?:notice|notification)\b|\b(?:mail|message|e-?mail) (?:could not be delivered|not delivered|delivery|failure|system error|error)\b|\bnon-?deliver\w+|\bnondeliverable\b|\bdelivery (?:delayed|notification)|\breturn(?:ing|ed)? (?:message|mail|to sender)\b|\bunzustellbar\b|\bunable to deliver\b|\bcould not (?:send|deliver)\b|\bnot delivered\b|\bbounced?\b|\bwarning: (?:message|could not send)|\bmail failure\b|\bblocked by\b|\berror sending\b|\bundelivered\b|\bdelayed\b/i;
const AWAY =
  /\bout[- ]of[- ](?:the )?office\b|\bauto(?:matic|mated)?[- ]?(?:reply|response|responder|antwort)\b|\bvacation\b|\babwesen\w*|\bauto:|\bautomatische antwort\b|\bréponse automatique\b|\brespuesta automática\b|\bon (?:holiday|leave)\b|\baway from\b|自動返信|不在/i;
/** The server still tries. */
const DELAY =
  /\b(?:has|have|had|was|were|is|are)? ?not (?:yet )?(?:been )?delivered (?:yet|so far)\b|\bnot yet been delivered\b|\bdelivery (?:is |has been |was )?delayed\b|\bdelayed \d+ hours?\b|\bstill (?:trying|being (?:re)?tried|attempting|in the queue)\b|\bwill (?:continue|keep|be retried|retry|try|be re-?tried)\b[^.]{0,40}(?:try|deliver|attempt|until|again|for)\b|\b(?:no action is required|you do not need to resend|do not need to resend|this is a warning (?:message )?only)\b/i;
const GAVE_UP =
  /\bpermanent(?:ly)?\b|\bgiv(?:en|ing) up\b|\bgave up\b|\bcould not be delivered to\b.*\bfailed\b|\bwill not be retried\b/i;

const ADDRESS = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?";
/** A line that begins with the recipient. */
const AT_START = new RegExp(
  `^[\\s>*|"'-]{0,20}<?(?:(?:smtp|mailto|rfc822)[:;] ?)?(${ADDRESS})>?(?:[\\s.,:;)"'(]|$)`,
  'i',
);
/** A line that names the recipient. */
const NAMED = new RegExp(
  `\\b(?:RCPT TO|recipients?|addressee|to (?:the )?(?:following )?(?:recipient|address|user|e-?mail)\\w*|deliver(?:ed|y)?(?: \\w+){0,3} to|message to|sent to|mail to|user|address|mailbox|destinatario|empfänger|account|failed|TO|for)\\b[^@\\n<]{0,40}[\\s:<("'\`\\[]<?(${ADDRESS})`,
  'i',
);
/** A reply begins with its code or status. */
const REPLY = /\b[45]\d\d[ -]{1,3}(?:#?[245]\.\d|[A-Za-z<'"[(*])|#?\b[45]\.\d{1,3}\.\d{1,3}\b|\b[45]\d\d\b/;
/** Characters of a paragraph that are judged. */
const MAX_PARAGRAPH = 2_000;

/** Bounces that only people can read: most reports of older and of small servers. */
export function prose(mail: ReportMail): readonly Report[] | undefined {
  const { headers, notice, returned } = mail;
  const subject = fieldValue(headers, 'subject') ?? '';
  const failed = fieldValue(headers, 'x-failed-recipients');
  const isDaemon = DAEMON.test(`${fieldValue(headers, 'from') ?? ''} ${fieldValue(headers, 'sender') ?? ''}`);
  if (failed === undefined && !SUBJECT.test(subject)) {
    if (AWAY.test(subject)) return [{ kind: 'auto_reply' }];
    if (!isDaemon) return undefined;
  }
  const kind = isDelay(subject, notice) ? 'deferred' : 'bounced';
  const own = addressOf(fieldValue(headers, 'to'))?.toLowerCase();
  const paragraphs = paragraphsOf(notice, (address) => address !== own && !DAEMON.test(address));
  const named = (failed?.split(',', MAX_RECIPIENTS) ?? []).map(addressOf).filter((address) => address !== undefined);
  const fallback = addressOf(fieldValue(returned, 'to'));
  const recipients =
    named.length > 0 ? named : paragraphs.size > 0 ? [...paragraphs.keys()] : fallback ? [fallback] : [undefined];
  return recipients.slice(0, MAX_RECIPIENTS).map((recipient) => {
    const paragraph = (recipient !== undefined && paragraphs.get(recipient.toLowerCase())) || notice;
    const reply = replyIn(paragraph) ?? replyIn(notice);
    const stage = stageOf(paragraph);
    const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(reply ?? '')?.[0];
    const found: Report = {
      kind,
      ...(recipient !== undefined && { recipient }),
      ...(status !== undefined && { status }),
      ...(stage && { stage }),
    };
    return bounceReport(found, reply, [paragraph, notice]);
  });
}

function isDelay(subject: string, notice: string): boolean {
  return (DELAY.test(subject) || /\bwarning\b|\bdelay/i.test(subject) || DELAY.test(notice)) && !GAVE_UP.test(notice);
}

/** The lines about each recipient: from the line that names it to the next such line. By address in lower case. */
function paragraphsOf(notice: string, isOther: (address: string) => boolean): Map<string, string> {
  const paragraphs = new Map<string, string>();
  const lines = linesOf(notice);
  const read = (pattern: RegExp) => {
    let current: string | undefined;
    for (const line of lines) {
      const address = pattern.exec(line.slice(0, MAX_LINE))?.[1]?.replace(/\.+$/, '').toLowerCase();
      if (address !== undefined && isOther(address)) {
        if (paragraphs.size >= MAX_RECIPIENTS && !paragraphs.has(address)) return;
        current = address;
      }
      if (current === undefined) continue;
      const text = paragraphs.get(current) ?? '';
      if (text.length < MAX_PARAGRAPH) paragraphs.set(current, `${text}${line}\n`.slice(0, MAX_PARAGRAPH));
    }
  };
  read(AT_START);
  if (paragraphs.size === 0) read(NAMED);
  return paragraphs;
}

function replyIn(text: string): string | undefined {
  const at = text.search(REPLY);
  return at < 0
    ? undefined
    : text
        .slice(at, at + MAX_PARAGRAPH)
        .replace(/\s+/g, ' ')
        .trim();
}
