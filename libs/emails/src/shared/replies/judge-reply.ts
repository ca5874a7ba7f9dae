import type { BounceKind } from './bounce.js';
import { BOUNCE_REASONS, type BounceReason, isAboutAddress } from './bounce-reasons.js';
import { enhancedStatus, meaningOfStatus, meaningOfSubject } from './enhanced-status.js';
import { DNS_WORDS, HARD_WORDS, SOFT_WORDS } from './general-words.js';
import { operatorOfHost, operatorWords } from './operator-words.js';
import { NAMES } from './own-words.js';
import type { SmtpStage } from './smtp-stages.js';
import type { Words } from './words.js';

/** Characters of a reply that are read. */
const MAX_TEXT = 2_000;

/**
 * The form of Cisco's gateways: their own word for the code, which says `Unknown address error` whatever the code, then
 * the reply of the server behind them.
 */
const WRAPPED = /^[45]\.\d\.\d - [\w ]{1,60}? (\d{3})-'/;

/** Words of server software before the reply that it quotes, such as `host mx.to.test[192.0.2.1] said: `. */
const QUOTING =
  /^.{0,300}?(?:\b(?:said|as follows|failed with|to talk to me):|\breturned|\bhost \S{1,255} \[[\da-f.:]{1,45}\]:) ?['"[]?(?=[245]\d\d[ -])/is;
const BEGINS_WITH_CODE = /^\s*[245](?:\d\d[ -]|\.\d)/;

/** Codes for a missing login, or a better one (RFC 4954 section 6, RFC 3207 section 4). */
const OF_LOGIN: readonly (number | undefined)[] = [530, 534, 535, 538];

/** A command out of sequence (RFC 5321 section 4.2.2): another one was refused before, and its reply says why. */
const OUT_OF_SEQUENCE = 503;

/** Links that name a list of senders say why after all. */
const LISTED = /\b(?:spamhaus|spamcop|sorbs|senderscore|barracudacentral|cloudmark)\b/i;

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

/** The meaning of a reply. */
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
export function judgeReply(given: RefusedReply): ReplyJudgement {
  const reply = itself(given);
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
  const words = said.replace(NAMES, (name) => LISTED.exec(name)?.[0] ?? ' ').replaceAll('_', ' ');
  const soft = wordsIn(words, SOFT_WORDS, reply.stage);
  if (soft) return soft;
  const byStatus = status && meaningOfStatus(status, words);
  const byWords = DNS_WORDS.test(words) ? 'domain_not_found' : wordsIn(words, HARD_WORDS, reply.stage);
  // Where both are about the address, the words say more.
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
 * The soft meaning of an address that was refused at a stage, or with a code, that says nothing about it. Some
 * operators look the recipient up at the end of DATA: their own words count there too.
 */
function whyNotAddress(reply: RefusedReply, said: string, isOwn: boolean): BounceReason | undefined {
  const { stage } = reply;
  const code = codeOf(reply, said);
  const isEarly = stage === 'connect' || stage === 'helo' || stage === 'mail';
  if (isEarly || OF_LOGIN.includes(code)) return 'policy_rejected';
  const isLate = (stage === 'data' || stage === 'dot') && !isOwn;
  return isLate || code === OUT_OF_SEQUENCE || isTemporary(reply, said) ? 'route_failed' : undefined;
}

/** The reply itself, without what a program says before it. A gateway's own status says nothing about it. */
function itself(reply: RefusedReply): RefusedReply {
  const wrapped = WRAPPED.exec(reply.text.trimStart());
  if (!wrapped) {
    if (BEGINS_WITH_CODE.test(reply.text)) return reply;
    return { ...reply, text: reply.text.slice(QUOTING.exec(reply.text)?.[0].length ?? 0) };
  }
  const text = `${wrapped[1]} ${reply.text.trimStart().slice(wrapped[0].length)}`;
  return { ...reply, text, code: Number(wrapped[1]), status: undefined };
}

/** No mail at all (RFC 7504). */
function meaningOfCode(code: number | undefined): BounceReason | undefined {
  if (code === 556) return 'domain_not_found';
  return OF_LOGIN.includes(code) ? 'policy_rejected' : undefined;
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

function wordsIn(said: string, words: typeof SOFT_WORDS, stage: SmtpStage | undefined): BounceReason | undefined {
  const isMeant = ({ stages }: Words) => !stages || (stage !== undefined && stages.includes(stage));
  return words.find((one) => isMeant(one) && one.pattern.test(said))?.meaning;
}

/** The lines of a reply as one, without the codes that each repeats. */
function inOneLine(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/[\r\n]+(?:\d{3}[ -])?(?:[245]\.\d{1,3}\.\d{1,3} )?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
