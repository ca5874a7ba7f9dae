import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';

/** The same outcome for every address. */
export function outcomesForAll(
  addresses: readonly string[],
  outcome: RecipientOutcome['outcome'],
  reply: SmtpReply,
): RecipientOutcome[] {
  return addresses.map((address) => ({ address, outcome, reply }));
}

/** The outcomes when there was no connection. Nothing was sent, and even a permanent refusal is about this server. */
export function unreachable(addresses: readonly string[], error: unknown): RecipientOutcome[] {
  const text = String(error instanceof Error ? error.message : error);
  const { responseCode } = (error ?? {}) as { responseCode?: unknown };
  const told = Number.isInteger(responseCode)
    ? { code: Number(responseCode), stage: 'connect' as const }
    : { error: errorKind(error) };
  return outcomesForAll(addresses, 'deferred', { text: storableText(text, MAX_REASON), ...told });
}

/** The kind of an error for the log, without its message: the code of a system or nodemailer error, else its name. */
export function errorKind(error: unknown): string {
  const { originalCode, code, name } = (error ?? {}) as { originalCode?: unknown; code?: unknown; name?: unknown };
  return [originalCode, code, name].find(isErrorKind) ?? 'Error';
}

/** True if it is a single word. Values from mail servers and host code may contain anything. */
export function isErrorKind(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value);
}
