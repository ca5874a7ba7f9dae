import type { RecipientOutcome } from '../../ports/email-transport.js';
import type { Lease } from '../../storage/deliver/delivery.repository.js';
import { outcomesForAll } from '../../transports/outcomes.js';
import { TRIED_AT_ONCE, WORKER_LOST } from '../lost-ends.js';
import type { Routes } from '../routes/routes.js';
import { postpone, type Settlement, settle } from '../settlement.js';
import type { RecipientTurn } from './recipient-turn.js';

/**
 * Settles the turn of a recipient as an earlier worker left it that died before the end of its lease. Its outcome is known,
 * or its message may have been sent: that counts as for an email of one message (`afterLostEnds`), for this recipient alone.
 * Undefined: it is tried now.
 */
export function afterDeadWorker(
  turn: RecipientTurn,
  { email: { age }, endedOutcomes = [] }: Lease,
  routes: Pick<Routes, 'named'>,
): Settlement | undefined {
  const { recipient, attempts, lost } = turn;
  const { address } = recipient;
  const settled = (outcome: RecipientOutcome, count: number, transport?: string) => {
    const by = transport === undefined ? {} : { transport };
    const findings = { recipients: [recipient], refused: new Map(), outcomes: [outcome], attempts: count, age, ...by };
    return settle(findings, routes.named(transport).rules);
  };
  const ended = endedOutcomes.find((outcome) => outcome.address === address);
  if (ended) {
    const { transport, ...outcome } = ended;
    return settled(outcome, attempts + 1, transport ?? undefined);
  }
  const { rules } = routes.named(undefined);
  const last = lost.at(-1);
  if (!last || last.since === null) return undefined;
  const held = rules.onUnknown === 'hold';
  if (!held && lost.length <= TRIED_AT_ONCE) return undefined;
  const wait = rules.retryPolicy.waitAfter(attempts);
  if (held || last.isNew || wait === undefined) {
    const [unknown] = outcomesForAll([address], 'unknown', WORKER_LOST);
    return unknown && settled(unknown, attempts);
  }
  // A process whose clock was ahead may have written the end.
  const left = wait - Math.max(last.since, 0);
  return left > 0 ? postpone([recipient], attempts, left) : undefined;
}
