import type { Reply } from './reply-reader.js';
import { instead } from './smtp-outcomes.js';
import type { SmtpTransaction } from './smtp-transaction.js';

export type Command = 'MAIL' | 'RCPT' | 'DATA' | 'the message' | 'RSET' | 'QUIT';

/** An expected reply. */
export interface Expected {
  to: Command;
  of?: SmtpTransaction;
}

/** The reply to QUIT. Some servers send it unrequested before they close, so it never counts as another reply. */
export const BYE = 221;

/** Reasons for the end of a connection. */
export const CLOSED = instead('Connection closed unexpectedly', 'ECONNECTION');
export const TIMEOUT = instead('Timeout', 'ETIMEDOUT');
export const TOO_LONG = instead('The message took too long.', 'ETIMEDOUT');
export const FORGOTTEN = instead('The next hop did not answer what was sent ahead.', 'ETIMEDOUT');
export const SAID_MORE = instead('The next hop said more than it was asked.', 'EPROTOCOL');

/** True if the reply is possible for the command (RFC 5321 section 4.3.2). */
export function fits({ to }: Expected, { code }: Reply): boolean {
  if (code === 0) return false;
  if (code >= 400 || to === 'QUIT') return true;
  return to === 'DATA' ? code === 354 : code < 300 && code !== BYE;
}
