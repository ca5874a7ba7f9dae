import { type Attributes, SpanKind } from '@opentelemetry/api';
import { storableText } from '../../shared/text/storable-text.js';
import { type SpanOptions, traced } from '../../shared/tracing/tracing.js';
import type { Observation } from '../observation/observation.js';
import type { BuiltMessage, RecipientOutcome, TransportSlot } from '../ports/email-transport.js';
import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { errorKind, outcomesForAll } from '../transports/outcomes.js';
import { reasonOf } from './failure-log.js';
import { storableOutcomes } from './storable-outcomes.js';

/** A message that is about to be sent. */
export interface AttemptedMessage {
  email: PendingEmail;
  recipients: readonly string[];
  /** Name of the transport. */
  transport: string;
}

/**
 * Runs an attempt within a trace span and reports it to the host's observers.
 *
 * @param work resolves with the outcome of each recipient
 */
export async function attempt<Reported extends readonly RecipientOutcome[] | 'stale'>(
  { email: { id, accountId, date }, recipients, transport }: AttemptedMessage,
  observation: Observation,
  work: () => Promise<Reported>,
): Promise<Reported> {
  const started = performance.now();
  const outcomes = await traced('emails.attempt', attemptSpan(id, recipients, transport), async (span) => {
    const reported = await work();
    if (reported !== 'stale' && span.isRecording()) span.setAttributes(endOf(reported));
    return reported;
  });
  if (outcomes === 'stale') return outcomes;
  const duration = performance.now() - started;
  observation.attempted({ emailId: id, accountId, transport, outcomes, duration, age: Date.now() - date.getTime() });
  return outcomes;
}

/** Sends the message to the next hop and makes the outcomes storable. */
export async function sendThrough(
  slot: TransportSlot,
  message: BuiltMessage,
): Promise<readonly RecipientOutcome[] | 'stale'> {
  try {
    const reported = await slot.send(message);
    return reported === 'stale' ? reported : storableOutcomes(message.recipients, reported);
  } catch (error) {
    return outcomesForAll(message.recipients, 'unknown', {
      text: `The transport failed: ${nameOf(error)}`,
      error: errorKind(error),
    });
  }
}

/** Returns the error's name only: its message may contain anything. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? storableText(String(error.name), 100) : 'unknown error';
}

/** Different outcomes and replies, without addresses and texts. */
function endOf(outcomes: readonly RecipientOutcome[]): Attributes {
  return {
    'emails.outcomes': [...new Set(outcomes.map(({ outcome }) => outcome))],
    'emails.replies': [...new Set(outcomes.map(({ reply }) => reasonOf(reply)))],
  };
}

function attemptSpan(emailId: string, recipients: readonly string[], transport: string): SpanOptions {
  return {
    kind: SpanKind.CLIENT,
    attributes: {
      'emails.email_id': emailId,
      'emails.recipients': recipients.length,
      'emails.transport': transport,
    },
  };
}
