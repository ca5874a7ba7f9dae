import { isPending, type RecipientState, stateOf } from '../../states/recipient-state.js';
import type { HeldLease, Lease, SplitEnd } from '../../storage/deliver/delivery.repository.js';
import type { Settlement } from '../settlement.js';
import type { RecipientTurn } from './recipient-turn.js';

/** How the turn of a recipient ended. */
export interface TurnEnd {
  turn: RecipientTurn;
  settlement: Settlement;
  /** Age of the email by then. Milliseconds. */
  age: number;
}

/** The state of an email when its lease ends. */
export interface SplitFindings {
  lease: Lease;
  held: HeldLease;
  ends: readonly TurnEnd[];
  /** Age of the email. Milliseconds. */
  age: number;
  /** Wait for a recipient that had no turn and whose time has come. Milliseconds. */
  wait: number;
  /** Number of ended attempts at the email. */
  attempts: number;
}

/** Joins the ends of the recipients' turns to one end of the lease. */
export function splitEnd({ lease, held, ends, age, wait, attempts }: SplitFindings): SplitEnd {
  const { email } = lease;
  const byMessage = new Map(ends.map((end) => [end.turn.message, end]));
  const recipients = email.recipients.map((recipient, index) => {
    const end = byMessage.get(index + 1);
    return end ? stateAfter(end) : recipient;
  });
  const pausedTransports = [...new Set(ends.flatMap(({ settlement }) => settlement.pausedTransports ?? []))];
  const isPaused = (end: TurnEnd | undefined) => end?.settlement.pausedTransports !== undefined;
  const pending = recipients.flatMap((recipient, index) =>
    isPending(recipient) ? [[recipient, byMessage.get(index + 1)] as const] : [],
  );
  // Those of paused transports wait with the others, so that these are not late.
  const waits = pending.flatMap(([recipient, end]) => (isPaused(end) ? [] : [waitOf(recipient, end, age, wait)]));
  const hops = ends.flatMap(({ settlement }) => settlement.waitsFor ?? []);
  return {
    ...held,
    recipients,
    lastEvent: stateOf(recipients),
    attempts,
    retryIn: pending.length > 0 ? Math.max(0, Math.min(...(waits.length > 0 ? waits : [0]))) : null,
    outcomes: null,
    endUnknown: false,
    events: ends.flatMap(({ settlement }) => settlement.events),
    messages: ends.flatMap(({ turn: { message }, settlement: { outcomes } }) =>
      outcomes === null ? [] : [{ message, outcomes }],
    ),
    ...(pending.length > 0 && waits.length === 0 && { pausedTransports }),
    ...(waits.length > 0 && hops.length > 0 && { waitsFor: joined(hops), dueFor: email.dueFor }),
  };
}

/** Each of the hops (`hopBits`). */
function joined(hops: readonly string[]): string {
  return `${hops.reduce((bits, hop) => bits | BigInt(hop), 0n)}`;
}

/** A recipient that is delayed keeps the number of its attempts, and after one the time of the next. */
function stateAfter({ turn, settlement, age }: TurnEnd): RecipientState {
  const [{ address, status, tried, redirected, resumedAge } = turn.recipient] = settlement.recipients;
  const state: RecipientState = {
    ...{ address, status },
    ...(tried && { tried }),
    ...(redirected && { redirected }),
    ...(resumedAge !== undefined && { resumedAge }),
  };
  if (status !== 'delivery_delayed') return state;
  const attempts = Math.max(0, settlement.attempts - turn.lost.length);
  const isTried = settlement.outcomes !== null;
  return { ...state, attempts, ...(isTried && { retryAge: age + (settlement.retryIn ?? 0) }) };
}

function waitOf({ retryAge }: RecipientState, end: TurnEnd | undefined, age: number, wait: number): number {
  if (end) return end.age + (end.settlement.retryIn ?? 0) - age;
  return retryAge === undefined ? wait : Math.max(wait, retryAge - age);
}
