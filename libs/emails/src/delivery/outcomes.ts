import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';

/** The same outcome for every address. */
export function outcomesForAll(
  addresses: readonly string[],
  outcome: RecipientOutcome['outcome'],
  reply: SmtpReply,
): RecipientOutcome[] {
  return addresses.map((address) => ({ address, outcome, reply }));
}
