import { storableText } from '../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';

/** The same outcome for every address. */
export function outcomesForAll(
  addresses: readonly string[],
  outcome: RecipientOutcome['outcome'],
  reply: SmtpReply,
): RecipientOutcome[] {
  return addresses.map((address) => ({ address, outcome, reply }));
}

/** There was no connection. Nothing was said, so nothing was sent; even a permanent refusal is about this server. */
export function unreachable(addresses: readonly string[], error: unknown): RecipientOutcome[] {
  const text = String(error instanceof Error ? error.message : error);
  return outcomesForAll(addresses, 'deferred', { text: storableText(text, 500) });
}
