import { SpanKind } from '@opentelemetry/api';
import { storableText } from '../../shared/text/storable-text.js';
import { type SpanOptions, traced } from '../../shared/tracing/tracing.js';
import type { Observation } from '../observation/observation.js';
import type { BuiltMessage, RecipientOutcome, TransportPlace } from '../ports/email-transport.js';
import type { OwedEmail } from '../storage/delivery.repository.js';
import { errorKind, outcomesForAll } from '../transports/outcomes.js';
import { toldOutcomes } from './told-outcomes.js';

/**
 * Makes an attempt, seen by traces and by the host's observers.
 *
 * @param work says what became of each recipient
 */
export async function attempt<Told extends readonly RecipientOutcome[] | 'stale'>(
  { id, date }: OwedEmail,
  recipients: readonly string[],
  observation: Observation,
  work: () => Promise<Told>,
): Promise<Told> {
  const started = performance.now();
  const outcomes = await traced('emails.attempt', attemptSpan(id, recipients), async (span) => {
    const told = await work();
    if (told !== 'stale') span.setAttribute('emails.outcomes', [...new Set(told.map(({ outcome }) => outcome))]);
    return told;
  });
  if (outcomes === 'stale') return outcomes;
  const duration = performance.now() - started;
  observation.attempted({ emailId: id, outcomes, duration, age: Date.now() - date.getTime() });
  return outcomes;
}

/** Hands the message to the next hop, and brings what it says into a form that can be kept. */
export async function sendAt(
  place: TransportPlace,
  message: BuiltMessage,
): Promise<readonly RecipientOutcome[] | 'stale'> {
  try {
    const told = await place.send(message);
    return told === 'stale' ? told : toldOutcomes(message.recipients, told);
  } catch (error) {
    return outcomesForAll(message.recipients, 'unknown', {
      text: `The transport failed: ${nameOf(error)}`,
      error: errorKind(error),
    });
  }
}

/** The name of an error: its message may hold anything. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? storableText(String(error.name), 100) : 'unknown error';
}

function attemptSpan(emailId: string, recipients: readonly string[]): SpanOptions {
  return {
    kind: SpanKind.CLIENT,
    attributes: { 'emails.email_id': emailId, 'emails.recipients': recipients.length },
  };
}
