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
  const { responseCode } = (error ?? {}) as { responseCode?: unknown };
  const told = Number.isInteger(responseCode) ? { code: Number(responseCode) } : { error: errorKind(error) };
  return outcomesForAll(addresses, 'deferred', { text: storableText(text, 500), ...told });
}

/** What an error is called in a log, without its message: the code of a system's or of nodemailer's error, else its name. */
export function errorKind(error: unknown): string {
  const { originalCode, code, name } = (error ?? {}) as { originalCode?: unknown; code?: unknown; name?: unknown };
  return [originalCode, code, name].find(isErrorKind) ?? 'Error';
}

/** A word: what comes of a mail server or of a host's code may be anything. */
export function isErrorKind(value: unknown): value is string {
  return typeof value === 'string' && /^\w{1,64}$/.test(value);
}
