import { addressKey } from '../../shared/mailbox/address-key.js';
import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import { parseMailbox } from '../../shared/mailbox/mailbox.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';
import { isKeptBack, isPending, type RecipientState, stateOf } from '../states/recipient-state.js';
import type { ErasableEmail, ErasedEmail } from '../storage/erase/erasure.repository.js';

/** Domain of the message id that replaces one with a person's name. */
const ERASED_DOMAIN = ERASED_ADDRESS.slice(ERASED_ADDRESS.indexOf('@'));

/**
 * An email without a person: a fixed mark replaces the address, and nothing more is sent to a pending recipient that is
 * erased. An email with other pending recipients keeps its content and its sender until they are done.
 *
 * @param key `addressKey` of the person's address
 * @returns undefined when the email does not contain the person
 */
export function eraseFrom(email: ErasableEmail, key: string): ErasedEmail | undefined {
  const { id, seq, from, to, cc, bcc, replyTo, headers, messageId, attempts, finished } = email;
  const own = [from, ...to, ...cc, ...bcc, ...replyTo].filter((mailbox) => mailboxKey(mailbox) === key);
  const addresses = email.recipients.map(({ address }) => address).filter((address) => addressKey(address) === key);
  if (own.length === 0 && addresses.length === 0) return undefined;

  const words = [...new Set([key, ...addresses, ...own.map(addressIn)].map(plain))];
  const names = (text: string) => spellingsOf(text).some((spelling) => words.some((word) => spelling.includes(word)));
  // The address of another person stays when its name mentions the erased one, as in `jane@person.test via Shop`.
  const unnamed = (mailbox: string) => (nameIn(mailbox).some(names) ? addressIn(mailbox) : mailbox);
  const marked = (mailbox: string) => (mailboxKey(mailbox) === key ? ERASED_ADDRESS : unnamed(mailbox));

  const isOwn = ({ address }: RecipientState) => addresses.includes(address);
  const left = email.recipients.map((state) => (isOwn(state) ? without(state) : state));
  const over = finished || !left.some(isPending);
  const canceled = !finished && over && left.every(isKeptBack);
  // A canceled email keeps the progress of each recipient.
  const recipients = canceled
    ? email.recipients.map((state) => (isOwn(state) ? { ...state, address: ERASED_ADDRESS } : state))
    : left;
  const isRecipient = addresses.length > 0;
  const isNamed = names(messageId);
  // Nobody has seen this id yet, so it may change.
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
  return { address: ERASED_ADDRESS, status: isPending({ address: ERASED_ADDRESS, status }) ? 'refused' : status };
}

/** The state stays the same for an email that is not due yet, and for a finished one. */
function stateAfter({ finished, lastEvent }: ErasableEmail, recipients: readonly RecipientState[]) {
  if (finished || (lastEvent === 'scheduled' && recipients.some(isPending))) return lastEvent;
  return stateOf(recipients);
}

/** The name in a mailbox; empty for an invalid mailbox. */
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

/** A text, and its decodings: from the escapes of a link, and from base64. */
function spellingsOf(text: string): string[] {
  const escapes = (bytes: string) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString();
  const unescaped = text.replace(/(?:%[\da-f]{2})+/gi, escapes);
  // `toString` accepts invalid UTF-8 too.
  const unencoded = unescaped.replace(/[\w+/-]{8,}/g, (run) => Buffer.from(run, 'base64').toString());
  return [text, unescaped, unencoded].map(plain);
}
