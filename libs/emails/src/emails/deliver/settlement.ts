import { UNDETERMINED } from '../../shared/replies/bounce.js';
import { bounceOfReason } from '../../shared/replies/bounce-reasons.js';
import { judgeReply } from '../../shared/replies/judge-reply.js';
import type { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import type { ReasonCode } from '../states/reason-codes.js';
import { isPending, type RecipientState, retriedFor, stateOf } from '../states/recipient-state.js';
import type { LeaseEnd, NewEvent, PendingEmail } from '../storage/deliver/delivery.repository.js';
import type { DownHop } from './hop/next-hop.js';
import { isOfRecipient, isSenderLimit } from './hop/sender-limits.js';
import type { Refused } from './recipient-policies.js';

/** Delay before an email looks again for a hop that was down, even if no process releases it. Milliseconds. */
const LONGEST_WAIT = 300_000;
/** In place of a reply: the one that began the pause was to another email. */
const AT_LIMIT: SmtpReply = {
  text: 'The next hop refuses mail of the sender for a time.',
  reasonCode: 'sender_limit',
};

type Status = RecipientState['status'];

/** Findings of one delivery run about an email. */
export interface Findings {
  /** Every envelope recipient before this run. */
  recipients: readonly RecipientState[];
  /** Addresses that the recipient policies refused in this run. */
  refused: Refused;
  /** Outcomes of the attempt; null when there was none. */
  outcomes: readonly RecipientOutcome[] | null;
  /** Number of ended attempts, including this one. */
  attempts: number;
  /** Age of the email in milliseconds. Default: 0. */
  age?: number;
  /** Milliseconds until a limit of the sender is tried again. Default: 0, none was reached. */
  pause?: number;
  /** Name of the transport of the attempt. */
  transport?: string;
}

export interface SettlementRules {
  hop: 'final' | 'relay';
  onUnknown: 'retry' | 'hold';
  retryPolicy: RetryPolicy;
  /** Name of the next hop where that is the recipients' own server. */
  host?: string | undefined;
  /** True if messages go to another mailbox: no outcome is about the address of a recipient. Default: false. */
  isRedirected?: boolean | undefined;
}

export type Settlement = Omit<LeaseEnd, 'id' | 'fence'>;

/** Turns a run's findings into the email's next state and the events that lead there. */
export function settle(findings: Findings, rules: SettlementRules): Settlement {
  const { refused } = findings;
  const outcomes = new Map(findings.outcomes?.map((outcome) => [outcome.address, outcome]));
  const isPutOff = metSenderLimit(findings, rules);
  const attempts = isPutOff ? findings.attempts - 1 : findings.attempts;
  const wait = isPutOff
    ? findings.pause || rules.retryPolicy.waitAt(retriedFor(findings.age ?? 0, findings.recipients))
    : rules.retryPolicy.waitAfter(attempts);
  const events: NewEvent[] = [];
  const by = findings.transport === undefined ? {} : { transport: findings.transport };

  const recipients = findings.recipients.map((recipient): RecipientState => {
    const { address } = recipient;
    const refusal = refused.get(address);
    if (refusal) {
      events.push({ ...refusal, recipient: address });
      return { address, status: refusal.type === 'suppressed' ? 'suppressed' : 'refused' };
    }
    const outcome = outcomes.get(address);
    if (!outcome || !isPending(recipient)) return recipient;
    if (isPutOff && isSenderLimit(outcome.reply)) {
      // Recorded once, however long it waits.
      if (recipient.status === 'delivery_delayed') return recipient;
      const reason = outcome.reply.text;
      events.push({ type: 'delivery_delayed', reason, reasonCode: 'sender_limit', recipient: address, ...by });
      return moved(recipient, 'delivery_delayed');
    }
    const [status, moves] = judge(outcome, wait !== undefined, rules);
    events.push(...moves.map((move) => ({ ...move, recipient: address, attempt: findings.attempts, ...by })));
    const state = moved(recipient, status);
    return rules.isRedirected ? { ...state, redirected: true } : state;
  });

  // One recipient's requested wait does not delay the others: the email is tried again for the first.
  const asked = recipients.filter(isPending).map(({ address }) => outcomes.get(address)?.retryAfter ?? 0);
  const pending = asked.length > 0;
  return {
    recipients,
    lastEvent: stateOf(recipients),
    attempts,
    retryIn: pending ? Math.max(wait ?? 0, Math.min(...asked)) : null,
    outcomes: findings.outcomes,
    endUnknown: findings.outcomes?.some(({ outcome }) => outcome === 'unknown') ?? false,
    events,
  };
}

/**
 * True if only a limit of the sender keeps recipients pending, which is not an attempt at the email, as long as its
 * retries would last. Without a pause recipients alone met it at a relay: their email is tried again on its schedule.
 */
function metSenderLimit(
  { recipients, outcomes, age = 0, pause = 0 }: Findings,
  { retryPolicy, hop }: Pick<SettlementRules, 'retryPolicy' | 'hop'>,
): boolean {
  if (retriedFor(age, recipients) >= retryPolicy.longest) return false;
  const isLimited = ({ outcome, reply }: RecipientOutcome) =>
    outcome !== 'accepted' && isSenderLimit(reply) && (pause > 0 || (hop === 'relay' && isOfRecipient(reply)));
  const isLeft = ({ outcome }: RecipientOutcome) => outcome === 'deferred' || outcome === 'unknown';
  return outcomes?.some(isLimited) === true && outcomes.every((outcome) => !isLeft(outcome) || isLimited(outcome));
}

interface AwaitedHop extends DownHop {
  /** See `HopBits`. */
  bits: bigint;
}

/**
 * Settles a run that found each next hop down that may take the email, and tried nothing: it continues when one of them is
 * back. See `delay`.
 */
export function waitFor(hops: readonly AwaitedHop[], email: PendingEmail, rules: SettlementRules): Settlement {
  const waiting = delay(email, hops[0] as AwaitedHop, LONGEST_WAIT, rules);
  if (waiting.retryIn === null) return waiting;
  return { ...waiting, waitsFor: `${hops.reduce((all, { bits }) => all | bits, 0n)}`, dueFor: email.dueFor };
}

/** Settles a run that found a pause at a limit of the sender, and tried nothing. See `delay`. @param pause milliseconds */
export function waitForPause(name: string, pause: number, email: PendingEmail, rules: SettlementRules): Settlement {
  return delay(email, { name, reply: AT_LIMIT }, pause, rules);
}

/**
 * The email is delayed without an attempt, which is recorded once. It fails at the age at which its retries would have
 * ended; but an email that is late because of this system waits once.
 */
function delay(email: PendingEmail, { name, reply }: DownHop, wait: number, rules: SettlementRules): Settlement {
  const { longest } = rules.retryPolicy;
  const age = retriedFor(email.age, email.recipients);
  const left = longest > age || email.recipients.every(hasWaited) ? longest - age : longest;
  const mayWait = left > 0;
  const events: NewEvent[] = [];
  const recipients = email.recipients.map((recipient): RecipientState => {
    if (!isPending(recipient) || (mayWait && recipient.status === 'delivery_delayed')) return recipient;
    const { address } = recipient;
    const [status, moves] = judge({ address, outcome: 'deferred', reply }, mayWait, rules);
    events.push(...moves.map((move) => ({ ...move, recipient: address, transport: name })));
    return moved(recipient, status);
  });
  const waiting = postpone(recipients, email.attempts, Math.min(left, wait));
  return { ...waiting, events, ...(!mayWait && { retryIn: null }) };
}

/** The state after a verdict. A recipient that is delayed keeps the end of the last pause. */
function moved({ address, resumedAge }: RecipientState, status: Status): RecipientState {
  return status === 'delivery_delayed' && resumedAge !== undefined
    ? { address, status, resumedAge }
    : { address, status };
}

function hasWaited({ status }: RecipientState): boolean {
  return status !== 'pending';
}

/**
 * Settles an attempt that ended without a verdict on a recipient, while another transport may take the email: it is tried
 * again at once, and the attempt does not count.
 *
 * @param attempts number of ended attempts, without this one
 * @param tried names of the transports that it was given to since its last wait
 */
export function moveOn(
  { recipients, refused, outcomes, attempts }: Findings,
  tried: readonly string[],
  rules: SettlementRules,
): Settlement {
  const settled = settle({ recipients, refused, outcomes: null, attempts }, rules);
  return { ...settled, recipients: withTried(settled.recipients, tried), retryIn: 0, outcomes };
}

/** Notes the transports that are not to be taken next. */
export function withTried(recipients: readonly RecipientState[], tried: readonly string[]): RecipientState[] {
  return recipients.map(({ tried: _, ...recipient }) =>
    isPending(recipient) && tried.length > 0 ? { ...recipient, tried } : recipient,
  );
}

/**
 * Settles a run in which nothing was tried: the email is tried again after `wait` milliseconds, in its former state.
 */
export function postpone(recipients: readonly RecipientState[], attempts: number, wait: number): Settlement {
  return {
    recipients,
    lastEvent: stateOf(recipients),
    attempts,
    retryIn: wait,
    outcomes: null,
    endUnknown: false,
    events: [],
  };
}

function judge(outcome: RecipientOutcome, mayRetry: boolean, rules: SettlementRules): [Status, NewEvent[]] {
  const reason = outcome.reply.text;
  switch (outcome.outcome) {
    case 'accepted':
      if (rules.hop === 'relay') return ['sent', [{ type: 'sent', reason }]];
      return ['delivered', [{ type: 'sent', reason }, { type: 'delivered' }]];
    case 'rejected':
      if (rules.isRedirected) return ['failed', [{ type: 'failed', reason, reasonCode: 'redirect_failed' }]];
      return ['bounced', [{ type: 'bounced', reason, ...bounceOf(outcome.reply, rules) }]];
    case 'unknown':
      if (rules.onUnknown === 'hold') {
        return ['failed', [{ type: 'failed', reason, reasonCode: 'unknown_outcome_held' }]];
      }
      break;
    case 'deferred':
      break;
  }
  return mayRetry
    ? ['delivery_delayed', [{ type: 'delivery_delayed', reason, ...coded(whyDeferred(outcome.reply)) }]]
    : ['failed', [{ type: 'failed', reason, reasonCode: whyGivenUp(outcome.reply, rules) }]];
}

/** Why it bounced: by a decision of the transport itself, else by the reply. */
function bounceOf(reply: SmtpReply, { host }: SettlementRules): Pick<NewEvent, 'reasonCode' | 'bounce'> {
  const { reasonCode } = reply;
  if (reasonCode !== undefined) return { reasonCode, bounce: bounceOfReason(reasonCode) ?? UNDETERMINED };
  const judged = judgeReply({ ...reply, host });
  return { reasonCode: judged.reasonCode, bounce: judged.kind };
}

/** A redirected message was given up for a reply that is not about its recipient. */
function whyGivenUp({ code }: SmtpReply, { isRedirected }: SettlementRules): ReasonCode {
  return isRedirected && code !== undefined ? 'redirect_failed' : 'expired';
}

/** A server's reply to try again needs no code. */
function whyDeferred({ code, reasonCode }: SmtpReply): ReasonCode | undefined {
  return reasonCode ?? (code === undefined ? 'no_reply' : undefined);
}

function coded(reasonCode: ReasonCode | undefined): { reasonCode?: ReasonCode } {
  return reasonCode === undefined ? {} : { reasonCode };
}
