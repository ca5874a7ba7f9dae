import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
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
  const own = [from, ...to, ...cc, ...bcc, ...replyTo].filter((mailbox) => mailboxKey(mailbox) === key);
  const addresses = email.recipients.map(({ address }) => address).filter((address) => addressKey(address) === key);
  if (own.length === 0 && addresses.length === 0) return undefined;

  const words = [...new Set([key, ...addresses, ...own.map(addressIn)].map(plain))];
  const names = (text: string) => spellingsOf(text).some((spelling) => words.some((word) => spelling.includes(word)));
  // Of somebody else whose name tells of the person, as of a shop that sends `jane@person.test via Shop`, the address stays.
  const unnamed = (mailbox: string) => (nameIn(mailbox).some(names) ? addressIn(mailbox) : mailbox);
  const marked = (mailbox: string) => (mailboxKey(mailbox) === key ? ERASED_ADDRESS : unnamed(mailbox));

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
  const remainder = { content: isRecipient, sender: !over && mailboxKey(from) === key, messageId: isNamed && !renamed };
  return {
    id,
    seq,
    from: over || mailboxKey(from) !== key ? marked(from) : from,
    to: to.map(marked),
    cc: cc.map(marked),
    bcc: bcc.map(marked),
    replyTo: replyTo.map(marked),
    headers: cleared ? [] : headers.filter((field) => !field.some(names)),
    messageId: renamed ? `<${id}${ERASED_DOMAIN}>` : messageId,
    recipients,
    lastEvent: canceled ? 'canceled' : stateAfter(email, recipients),
    over,
    canceled,
    cleared,
    addresses,
    words,
    remainder,
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

/** The name in a mailbox; none for what is no mailbox. */
function nameIn(mailbox: string): string[] {
  return mailboxKey(mailbox) === undefined ? [] : [parseMailbox(mailbox).name];
}

/** As it was written. */
function addressIn(mailbox: string): string {
  return parseMailbox(mailbox).address;
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A text, and what it says where it has the escapes of a link, or base64. */
function spellingsOf(text: string): string[] {
  const escapes = (bytes: string) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  const unescaped = text.replace(/(?:%[\da-f]{2})+/gi, escapes);
  // `toString` takes bytes that are no UTF-8 too.
  const unencoded = unescaped.replace(/[\w+/-]{8,}/g, (run) => Buffer.from(run, 'base64').toString());
  return [text, unescaped, unencoded].map(plain);
}
