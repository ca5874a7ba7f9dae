import { addressKey } from '../../shared/mailbox/address-key.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { MailboxSyntaxError } from '../../shared/mailbox/mailbox-syntax-error.js';
import { ERASED_ADDRESS } from '../states/erased.js';
import { isOwed, type RecipientState, stateOf } from '../states/recipient-state.js';
import type { ErasableEmail, ErasedEmail } from '../storage/erasure.repository.js';

/** Of a message id that is made for one that named somebody. */
const ERASED_DOMAIN = ERASED_ADDRESS.slice(ERASED_ADDRESS.indexOf('@'));

/**
 * An email without a person: the address gives way to a fixed one, and whoever was still owed it is sent nothing. What
 * others are still to get keeps its content, and its sender, until they have got it.
 *
 * @param key what `addressKey` makes of the person's address
 * @returns undefined when that person is not in it
 */
export function eraseFrom(email: ErasableEmail, key: string): ErasedEmail | undefined {
  const { id, seq, from, to, cc, bcc, replyTo, headers, messageId, attempts, finished } = email;
  const own = [from, ...to, ...cc, ...bcc, ...replyTo].filter((mailbox) => keyOf(mailbox) === key);
  const addresses = email.recipients.map(({ address }) => address).filter((address) => addressKey(address) === key);
  if (own.length === 0 && addresses.length === 0) return undefined;

  const mark = (mailbox: string) => (keyOf(mailbox) === key ? ERASED_ADDRESS : mailbox);
  const words = [...new Set([key, ...addresses, ...own.map(addressIn)].map(plain))];
  const names = (text: string) => words.some((word) => plain(text).includes(word) || decoded(text).includes(word));

  const isOwn = ({ address }: RecipientState) => addresses.includes(address);
  const left = email.recipients.map((state) => (isOwn(state) ? without(state) : state));
  const over = finished || !left.some(isOwed);
  const canceled = !finished && over && left.every(({ status }) => status === 'suppressed');
  // Of a canceled email it is kept how far each had come.
  const recipients = canceled
    ? email.recipients.map((state) => (isOwn(state) ? { ...state, address: ERASED_ADDRESS } : state))
    : left;
  const isRecipient = addresses.length > 0;
  const isNamed = names(messageId);
  // An id that nobody has seen yet may change.
  const renamed = isNamed && (over || attempts === 0);
  const cleared = over && isRecipient;
  const remainder = { content: isRecipient, sender: keyOf(from) === key, messageId: isNamed && !renamed };
  return {
    id,
    seq,
    from: over ? mark(from) : from,
    to: to.map(mark),
    cc: cc.map(mark),
    bcc: bcc.map(mark),
    replyTo: replyTo.map(mark),
    headers: cleared ? [] : headers.filter((field) => !field.some(names)),
    messageId: renamed ? `<${id}${ERASED_DOMAIN}>` : messageId,
    recipients,
    lastEvent: canceled ? 'canceled' : stateAfter(email, recipients),
    over,
    canceled,
    cleared,
    addresses,
    words,
    remainder: !over && Object.values(remainder).some(Boolean) ? remainder : null,
  };
}

function without({ status }: RecipientState): RecipientState {
  return { address: ERASED_ADDRESS, status: isOwed({ address: ERASED_ADDRESS, status }) ? 'suppressed' : status };
}

/** Of an email that is not due yet, and of one of which all is known, nothing changes. */
function stateAfter({ finished, lastEvent }: ErasableEmail, recipients: readonly RecipientState[]) {
  if (finished || (lastEvent === 'scheduled' && recipients.some(isOwed))) return lastEvent;
  return stateOf(recipients);
}

/** What the spellings of the address in a mailbox have in common; undefined for what is no mailbox. */
function keyOf(mailbox: string): string | undefined {
  try {
    return addressKey(parseMailbox(mailbox).envelope);
  } catch (error) {
    if (error instanceof MailboxSyntaxError) return undefined;
    throw error;
  }
}

/** As it was written. */
function addressIn(mailbox: string): string {
  return parseMailbox(mailbox).address;
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A text as it is without the escapes that it has in a link. */
function decoded(text: string): string {
  const bytes = (escapes: string) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString();
  return plain(text.replace(/(?:%[\da-f]{2})+/gi, bytes));
}
