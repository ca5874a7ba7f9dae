import type { NodemailerError } from 'nodemailer';
import type { SMTPConnectionSendInfo } from 'nodemailer/lib/smtp-connection';
import { storableText } from '../../../shared/text/storable-text.js';
import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { errorKind, outcomesForAll } from '../outcomes.js';
import { retryAfter } from './retry-after.js';

type Outcome = RecipientOutcome['outcome'];

const MAX_REPLY = 500;

/** The whole message failed. `kind` says what that means for the connection and for a second try on a new one. */
export interface SendFailure {
  /** `not_sent`: the connection broke, or was being closed, before the next hop said anything about this message. */
  kind: 'recipients_refused' | 'refused' | 'not_sent' | 'maybe_sent';
  outcomes: RecipientOutcome[];
}

/** The next hop took the message for some recipients at least. */
export function acceptedOutcomes(
  info: SMTPConnectionSendInfo,
  refusals: readonly NodemailerError[],
): RecipientOutcome[] {
  return [
    ...outcomesForAll(info.accepted, 'accepted', parseReply(info.response)),
    ...refusals.map((refusal) => refusedOutcome(refusal)),
  ];
}

/**
 * The next hop took the message for nobody, or the connection broke.
 *
 * @param refusals the refusals of single recipients that came before
 * @param complete whether the whole message, its final dot included, was handed to the connection
 */
export function failedOutcomes(
  addresses: readonly string[],
  error: NodemailerError,
  refusals: readonly NodemailerError[],
  complete: boolean,
): SendFailure {
  const refused = refusals.map((refusal) => refusedOutcome(refusal));
  const refusedAddresses = new Set(refused.map(({ address }) => address));
  const others = addresses.filter((address) => !refusedAddresses.has(address));
  const rest = (outcome: Outcome, reply: SmtpReply) => [...refused, ...outcomesForAll(others, outcome, reply)];

  if (others.length === 0) return { kind: 'recipients_refused', outcomes: refused };
  // RFC 5321 section 3.8: this server was closing the connection, whatever it was asked.
  const closing = error.responseCode === 421 && error.command === 'MAIL FROM';
  if (isRefusal(error.responseCode)) {
    return {
      kind: closing ? 'not_sent' : 'refused',
      outcomes: [...refused, ...others.map((address) => refusedOutcome(error, address))],
    };
  }
  // The message was on the wire, and what came after it was no reply, or none that means anything.
  if (complete) {
    return { kind: 'maybe_sent', outcomes: rest('unknown', replyOf(error)) };
  }
  // The connection's own word: the message is larger than the server takes, or an address fits into no command.
  if (error.response === undefined && (error.code === 'EMESSAGE' || error.code === 'EENVELOPE')) {
    return { kind: 'refused', outcomes: rest('rejected', replyOf(error)) };
  }
  return { kind: 'not_sent', outcomes: rest('deferred', replyOf(error)) };
}

function isRefusal(code: number | undefined): code is number {
  return code !== undefined && code >= 400 && code < 600;
}

function refusedOutcome(error: NodemailerError, address = String(error.recipient)): RecipientOutcome {
  const reply = replyOf(error);
  // RFC 5321 section 4.2.1: 5yz is a permanent answer. What is no answer at all proves nothing against the recipient.
  if (/^5/.test(String(error.responseCode ?? ''))) return { address, outcome: 'rejected', reply };
  const wait = retryAfter(reply.text);
  return { address, outcome: 'deferred', reply, ...(wait !== undefined && { retryAfter: wait }) };
}

function replyOf(error: NodemailerError): SmtpReply {
  if (error.response) return parseReply(error.response);
  return { text: storableText(error.message, MAX_REPLY), error: errorKind(error) };
}

function parseReply(response: string): SmtpReply {
  const code = Number(/^\d{3}/.exec(response)?.[0]);
  const text = storableText(response, MAX_REPLY);
  return code ? { code, text } : { text };
}
