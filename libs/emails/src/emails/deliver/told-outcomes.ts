import { storableText } from '../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import { isErrorKind } from '../transports/outcomes.js';

type Outcome = RecipientOutcome['outcome'];

/** Characters of a reply that are kept. */
const MAX_TEXT = 500;
/** Milliseconds: a day. */
const MAX_WAIT = 86_400_000;
const OUTCOMES: ReadonlySet<string> = new Set<Outcome>(['accepted', 'deferred', 'rejected', 'unknown']);
const NOTHING = { text: 'The transport told nothing of this recipient.' };

/**
 * What a transport told, in a form that can be stored and reckoned with whatever it was: one outcome for each recipient in
 * their order, `unknown` where nothing sensible was said; texts that PostgreSQL takes; a wait of at most a day.
 */
export function toldOutcomes(recipients: readonly string[], told: readonly RecipientOutcome[]): RecipientOutcome[] {
  const byAddress = new Map(told.map((outcome) => [outcome.address, outcome]));
  return recipients.map((address) => {
    const outcome = byAddress.get(address);
    if (!outcome || !OUTCOMES.has(outcome.outcome)) return { address, outcome: 'unknown', reply: NOTHING };
    const wait = waitOf(outcome.retryAfter);
    const reply = replyOf(outcome.reply);
    return { address, outcome: outcome.outcome, reply, ...(wait !== undefined && { retryAfter: wait }) };
  });
}

function replyOf(reply: SmtpReply | undefined): SmtpReply {
  const text = storableText(String(reply?.text ?? ''), MAX_TEXT);
  if (Number.isInteger(reply?.code)) return { code: Number(reply?.code), text };
  return isErrorKind(reply?.error) ? { text, error: reply.error } : { text };
}

function waitOf(wait: number | undefined): number | undefined {
  return typeof wait === 'number' && wait > 0 ? Math.min(wait, MAX_WAIT) : undefined;
}
