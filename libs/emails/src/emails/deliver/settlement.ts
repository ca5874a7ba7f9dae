import type { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { RecipientOutcome } from '../ports/email-transport.js';
import { isOwed, type RecipientState, stateOf } from '../states/recipient-state.js';
import type { LeaseEnd, NewEvent, OwedEmail } from '../storage/delivery.repository.js';
import { bounceOf } from './bounce-of-reply.js';
import type { DownHop } from './hop/next-hop.js';
import type { Refused } from './recipient-policies.js';

/** After which an email looks again for a hop that was down, whoever else does. Milliseconds. */
const LONGEST_WAIT = 300_000;

type Status = RecipientState['status'];

/** What one run of a delivery found out about an email. */
export interface Findings {
  /** Every envelope recipient before this run. */
  recipients: readonly RecipientState[];
  /** Addresses that the recipient policies kept back in this run. */
  refused: Refused;
  /** What the next hop said; null when no attempt was made. */
  outcomes: readonly RecipientOutcome[] | null;
  /** Attempts that ended, this one included. */
  attempts: number;
}

export interface SettlementRules {
  hop: 'final' | 'relay';
  onUnknown: 'retry' | 'hold';
  retryPolicy: RetryPolicy;
}

export type Settlement = Omit<LeaseEnd, 'id' | 'fence'>;

/** Turns what a worker found out into the email's next state and the events that lead there. */
export function settle(findings: Findings, rules: SettlementRules): Settlement {
  const { refused, attempts } = findings;
  const outcomes = new Map(findings.outcomes?.map((outcome) => [outcome.address, outcome]));
  const wait = rules.retryPolicy.waitAfter(attempts);
  const events: NewEvent[] = [];

  const recipients = findings.recipients.map((recipient): RecipientState => {
    const { address } = recipient;
    const refusal = refused.get(address);
    if (refusal) {
      events.push({ ...refusal, recipient: address });
      return { address, status: 'suppressed' };
    }
    const outcome = outcomes.get(address);
    if (!outcome || !isOwed(recipient)) return recipient;
    const [status, moves] = judge(outcome, wait !== undefined, rules);
    events.push(...moves.map((move) => ({ ...move, recipient: address, attempt: attempts })));
    return { address, status };
  });

  // What one of them was asked to wait holds up no other: the email comes back for the first.
  const asked = recipients.filter(isOwed).map(({ address }) => outcomes.get(address)?.retryAfter ?? 0);
  const owed = asked.length > 0;
  // An event of a recipient that says `failed` says it of the email too.
  const saysFailed = events.some(({ type }) => type === 'failed');
  if (!owed && !saysFailed && recipients.every(({ status }) => status === 'suppressed')) {
    events.push({ type: 'failed', reason: 'No recipient is left to send to.' });
  }
  return {
    recipients,
    lastEvent: stateOf(recipients),
    attempts,
    retryIn: owed ? Math.max(wait ?? 0, Math.min(...asked)) : null,
    outcomes: findings.outcomes,
    endUnknown: findings.outcomes?.some(({ outcome }) => outcome === 'unknown') ?? false,
    events,
  };
}

/**
 * A run that found the next hop down, and tried nothing: the email is delayed, which is recorded once, and goes on when
 * the hop is back. At the age at which its retries would have come to an end, it has failed; but one that comes late for
 * reasons of ours waits once.
 */
export function waitFor(hop: DownHop, email: OwedEmail, rules: SettlementRules): Settlement {
  const { longest } = rules.retryPolicy;
  const left = longest > email.age || email.recipients.every(hasWaited) ? longest - email.age : longest;
  const mayWait = left > 0;
  const events: NewEvent[] = [];
  const recipients = email.recipients.map((recipient): RecipientState => {
    if (!isOwed(recipient) || (mayWait && recipient.status === 'delivery_delayed')) return recipient;
    const { address } = recipient;
    const [status, moves] = judge({ address, outcome: 'deferred', reply: hop.reply }, mayWait, rules);
    events.push(...moves.map((move) => ({ ...move, recipient: address })));
    return { address, status };
  });
  const waiting = postpone(recipients, email.attempts, Math.min(left, LONGEST_WAIT));
  return mayWait
    ? { ...waiting, events, waitsFor: hop.name, dueFor: email.dueFor }
    : { ...waiting, events, retryIn: null };
}

function hasWaited({ status }: RecipientState): boolean {
  return status !== 'pending';
}

/** A run in which nothing was tried: the email comes back after `wait` milliseconds as it was. */
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
      return ['bounced', [{ type: 'bounced', reason, bounce: bounceOf(outcome.reply) }]];
    case 'unknown':
      if (rules.onUnknown === 'hold') {
        return ['failed', [{ type: 'failed', reason: `Held: it is unknown whether a copy was sent. ${reason}` }]];
      }
      break;
    case 'deferred':
      break;
  }
  return mayRetry
    ? ['delivery_delayed', [{ type: 'delivery_delayed', reason }]]
    : ['failed', [{ type: 'failed', reason: `Gave up. Last reply: ${reason}` }]];
}
