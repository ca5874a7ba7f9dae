import { SMTP_STAGES } from '../../shared/replies/smtp-stages.js';
import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply, SmtpStage } from '../ports/email-transport.js';
import { isReasonCode } from '../states/reason-codes.js';
import { isErrorKind } from '../transports/outcomes.js';

type Outcome = RecipientOutcome['outcome'];

/** A day, in milliseconds. */
const MAX_WAIT = 86_400_000;
const STAGES: ReadonlySet<unknown> = new Set(SMTP_STAGES);
const OUTCOMES: ReadonlySet<string> = new Set<Outcome>(['accepted', 'deferred', 'rejected', 'unknown']);
const NOTHING = { text: 'The transport reported nothing about this recipient.' };

/**
 * Returns a transport's outcomes in a form that can be stored, whatever the transport returned: one outcome for each
 * recipient in their order, `unknown` where it is missing or invalid; texts that PostgreSQL can store; a wait of at
 * most a day.
 */
export function storableOutcomes(
  recipients: readonly string[],
  reported: readonly RecipientOutcome[],
): RecipientOutcome[] {
  const byAddress = new Map(reported.map((outcome) => [outcome.address, outcome]));
  return recipients.map((address) => {
    const outcome = byAddress.get(address);
    if (!outcome || !OUTCOMES.has(outcome.outcome)) return { address, outcome: 'unknown', reply: NOTHING };
    const wait = waitOf(outcome.retryAfter);
    const reply = replyOf(outcome.reply);
    return { address, outcome: outcome.outcome, reply, ...(wait !== undefined && { retryAfter: wait }) };
  });
}

function replyOf(reply: SmtpReply | undefined): SmtpReply {
  const text = storableText(String(reply?.text ?? ''), MAX_REASON);
  return {
    ...(Number.isInteger(reply?.code) && { code: Number(reply?.code) }),
    text,
    ...(isStage(reply?.stage) && { stage: reply.stage }),
    ...(!Number.isInteger(reply?.code) && isErrorKind(reply?.error) && { error: reply.error }),
    ...(isReasonCode(reply?.reasonCode) && { reasonCode: reply.reasonCode }),
  };
}

function isStage(stage: unknown): stage is SmtpStage {
  return STAGES.has(stage);
}

function waitOf(wait: number | undefined): number | undefined {
  return typeof wait === 'number' && wait > 0 ? Math.min(wait, MAX_WAIT) : undefined;
}
