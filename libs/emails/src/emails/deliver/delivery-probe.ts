import { channel } from 'node:diagnostics_channel';
import type { SmtpStage } from '../../shared/replies/smtp-stages.js';
import type { RecipientOutcome } from '../ports/email-transport.js';
import { isWithoutVerdict } from './routes/without-verdict.js';

/** The outcome of one recipient. A refusal that says nothing about recipient and content is `without verdict`. */
export interface ProbedOutcome {
  kind: 'accepted' | 'refused' | 'unknown' | 'without verdict';
  /** The point of the dialogue of a reply that refuses. */
  stage: SmtpStage | undefined;
}

/** A step of the delivery of an email under one lease. It never contains content or addresses. */
interface Step {
  emailId: string;
  fence: number;
}

/** A step that PostgreSQL decided at some time since `from`. Milliseconds of `performance.now()`. */
interface DecidedStep extends Step {
  from: number;
}

export type DeliveryStep =
  | ({ step: 'lease' } & DecidedStep)
  /** The attempt was written. */
  | ({ step: 'attempt'; transport: string } & DecidedStep)
  /** The attempt was deleted again: its message has not begun. */
  | ({ step: 'withdrawal'; transport: string } & DecidedStep)
  /** Sending begins. */
  | ({ step: 'wire'; transport: string } & Step)
  /** The connection was stale: nothing was sent. */
  | ({ step: 'stale'; transport: string } & Step)
  | ({ step: 'answer'; transport: string; outcomes: readonly ProbedOutcome[] } & Step)
  /** Another transport is to get the email. */
  | ({ step: 'move'; transport: string } & Step)
  /** The end of the lease. It is not recorded if the lease was lost. */
  | ({ step: 'settlement'; recorded: boolean } & DecidedStep);

const deliveries = channel('nestjs-emails:delivery');

/** Publishes the step to the subscribers of the diagnostics channel. Nothing is done without any. */
export function probe(stepOf: () => DeliveryStep): void {
  if (deliveries.hasSubscribers) deliveries.publish(stepOf());
}

/** The same for a step that a statement decides, when its result is known. Undefined: nothing is published. */
export function probed<Result>(
  work: Promise<Result>,
  stepOf: (from: number, result: Result) => DeliveryStep | undefined,
): Promise<Result> {
  if (!deliveries.hasSubscribers) return work;
  const from = performance.now();
  return work.then((result) => {
    const step = stepOf(from, result);
    if (step) deliveries.publish(step);
    return result;
  });
}

/** Without addresses and texts. */
export function probedOutcomes(outcomes: readonly RecipientOutcome[]): ProbedOutcome[] {
  return outcomes.map(({ outcome, ...rest }) => {
    const stage = rest.reply.code === undefined ? undefined : rest.reply.stage;
    if (isWithoutVerdict([{ outcome, ...rest }])) return { kind: 'without verdict', stage };
    return { kind: outcome === 'accepted' || outcome === 'unknown' ? outcome : 'refused', stage };
  });
}
