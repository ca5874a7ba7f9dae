import type { BounceKind } from './bounce.js';
import { BOUNCE_REASONS, type BounceReason, isAboutAddress } from './bounce-reasons.js';
import { enhancedStatus, meaningOfStatus, meaningOfSubject } from './enhanced-status.js';
import { DNS_WORDS, HARD_WORDS, SOFT_WORDS } from './general-words.js';
import { operatorOfHost, operatorWords } from './operator-words.js';
import type { SmtpStage } from './smtp-stages.js';

/** Characters of a reply that are read. */
const MAX_TEXT = 2_000;

/** Addresses and links: their words say nothing. */
const NAMES = /<[^<>\s]{1,320}>|\bhttps?:\S+|[^\s<>():;,]{1,80}@[^\s<>()]{1,255}/gi;

/** A refusal, synchronous or quoted in a report. */
export interface RefusedReply {
  /** Its code (RFC 5321 section 4.2). Default: the one at the beginning of the text. */
  code?: number | undefined;
  /** Its text, with or without its codes. */
  text: string;
  /** An enhanced status (RFC 3463) that was given apart from the text, such as the `Status` field of a report. */
  status?: string | undefined;
  /** The command that was refused. Default: unknown, judged as `rcpt`. */
  stage?: SmtpStage | undefined;
  /** Name of the host that refused. */
  host?: string | undefined;
}

export interface ReplyJudgement {
  kind: BounceKind;
  /** One of the reason codes of bounces. */
  reasonCode: BounceReason;
  /** The operator whose words it uses, else the one of the host. */
  operator?: string;
  /** True if it is about a limit of the sender at the next hop, which other mail meets as well. */
  isSenderLimit?: true;
}

/**
 * Judges the reply to a refused recipient. The order of evidence: the operator's own words, general words about
 * something other than the address, the enhanced status with its class, general words about the address, the basic
 * code. The stage and the class limit the result: nothing before RCPT is about the address, nothing temporary is
 * permanent, and after DATA only an operator's own words are.
 */
export function judgeReply(reply: RefusedReply): ReplyJudgement {
  const said = inOneLine(reply.text);
  const own = operatorWords(said, reply.host);
  const found = own?.meaning ?? meaningOf(reply, said);
  const reasonCode = isAboutAddress(found) ? (whyNotAddress(reply, said, own !== undefined) ?? found) : found;
  const operator = own?.operator ?? operatorOfHost(reply.host);
  return {
    kind: { ...BOUNCE_REASONS[reasonCode], ...(operator !== undefined && { operator }) },
    reasonCode,
    ...(operator !== undefined && { operator }),
    ...(reasonCode === 'sender_limit' && { isSenderLimit: true }),
  };
}

function meaningOf(reply: RefusedReply, said: string): BounceReason {
  const status = statusOf(reply, said);
  const words = said.replace(NAMES, ' ').replaceAll('_', ' ');
  const soft = wordsIn(words, SOFT_WORDS);
  if (soft) return soft;
  const byStatus = status && meaningOfStatus(status, words);
  const byWords = DNS_WORDS.test(words) ? 'domain_not_found' : wordsIn(words, HARD_WORDS);
  // Of two that are both about the address, the words say more.
  return (
    (byStatus && !isAboutAddress(byStatus) ? byStatus : undefined) ??
    byWords ??
    byStatus ??
    (status && meaningOfSubject(status)) ??
    meaningOfCode(codeOf(reply, said)) ??
    (isTemporary(reply, said) ? 'route_failed' : 'unrecognised_reply')
  );
}

/**
 * The soft meaning of an address that was refused at a stage, or with a class, that says nothing about it. Some
 * operators look the recipient up at the end of DATA: their own words count there too.
 */
function whyNotAddress(reply: RefusedReply, said: string, isOwn: boolean): BounceReason | undefined {
  const { stage } = reply;
  if (stage === 'connect' || stage === 'helo' || stage === 'mail') return 'policy_rejected';
  const isLate = (stage === 'data' || stage === 'dot') && !isOwn;
  return isLate || isTemporary(reply, said) ? 'route_failed' : undefined;
}

/** A login or a better one is missing (RFC 4954 section 6, RFC 3207 section 4); no mail at all (RFC 7504). */
function meaningOfCode(code: number | undefined): BounceReason | undefined {
  if (code === 556) return 'domain_not_found';
  return code !== undefined && [530, 534, 535, 538].includes(code) ? 'policy_rejected' : undefined;
}

function isTemporary(reply: RefusedReply, said: string): boolean {
  const code = codeOf(reply, said);
  const status = statusOf(reply, said);
  return (code !== undefined && code < 500) || status?.class === 4;
}

function codeOf({ code }: RefusedReply, said: string): number | undefined {
  const found = /^[245]\d\d(?![\d.])/.exec(said)?.[0];
  return code ?? (found === undefined ? undefined : Number(found));
}

/** The status in the text, unless it says nothing and one was given apart. */
function statusOf({ status }: RefusedReply, said: string) {
  const inText = enhancedStatus(said);
  return inText && inText.detail !== '0.0' ? inText : (status && enhancedStatus(status)) || inText;
}

function wordsIn(said: string, words: typeof SOFT_WORDS): BounceReason | undefined {
  return words.find(({ pattern }) => pattern.test(said))?.meaning;
}

/** The lines of a reply as one, without the codes that each repeats. */
function inOneLine(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/[\r\n]+(?:\d{3}[ -])?(?:[245]\.\d{1,3}\.\d{1,3} )?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
