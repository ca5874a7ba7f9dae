import type { RecipientOutcome } from '../ports/email-transport.js';
import { isOwed, type RecipientState, stateOf } from '../states/recipient-state.js';
import type { LeaseEnd, NewEvent } from '../storage/delivery.repository.js';
import { bounceOf } from './bounce-of-reply.js';
import type { Refused } from './recipient-policies.js';
import type { RetryPolicy } from './retry-policy.js';

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

  const owed = recipients.some(isOwed);
  if (!owed && recipients.every(({ status }) => status === 'suppressed')) {
    events.push({ type: 'failed', reason: 'No recipient is left to send to.' });
  }
  return {
    recipients,
    lastEvent: stateOf(recipients),
    attempts,
    retryIn: owed ? Math.max(wait ?? 0, ...[...outcomes.values()].map(({ retryAfter }) => retryAfter ?? 0)) : null,
    outcomes: findings.outcomes,
    endUnknown: findings.outcomes?.some(({ outcome }) => outcome === 'unknown') ?? false,
    events,
  };
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
