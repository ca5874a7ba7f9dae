import type { SmtpStage } from '../../../shared/replies/smtp-stages.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { isSenderLimit } from '../hop/sender-limits.js';

/** Up to here a refusal is the transport's, and not about a recipient or the content. */
const OF_TRANSPORT: readonly (SmtpStage | undefined)[] = ['connect', 'helo', 'mail'];
/** Decisions without a reply that another transport may make in another way. */
const NO_CONNECTION: readonly (string | undefined)[] = [undefined, 'no_reply'];

/**
 * True if an attempt ended before its transport said anything about a recipient or the content: another transport may take
 * the email at once. Nothing was sent for certain.
 */
export function isWithoutVerdict(outcomes: readonly RecipientOutcome[]): boolean {
  return outcomes.length > 0 && outcomes.every(saysNothing);
}

function saysNothing({ outcome, reply }: RecipientOutcome): boolean {
  if (outcome === 'accepted' || outcome === 'unknown') return false;
  if (reply.reasonCode === 'tls_missing') return true;
  if (isSenderLimit(reply)) return reply.stage === 'rcpt' || OF_TRANSPORT.includes(reply.stage);
  return outcome === 'deferred' && isOfTransport(reply);
}

function isOfTransport({ code, stage, reasonCode }: SmtpReply): boolean {
  return code === undefined ? NO_CONNECTION.includes(reasonCode) : OF_TRANSPORT.includes(stage);
}

/** True if a recipient was refused for a time: its server may ask for another try from the same place. */
export function isRecipientDeferred(outcomes: readonly RecipientOutcome[]): boolean {
  return outcomes.some(
    ({ outcome, reply: { code, stage = 'rcpt' } }) => outcome === 'deferred' && code !== undefined && stage === 'rcpt',
  );
}

/**
 * True if the content, or the whole message, was refused for a time: the schedule decides when the email is tried again, and
 * another transport may take it then.
 */
export function isContentDeferred(outcomes: readonly RecipientOutcome[]): boolean {
  return outcomes.some(
    ({ outcome, reply: { stage } }) => outcome === 'deferred' && (stage === 'data' || stage === 'dot'),
  );
}
