import { parseMime } from '../../support/reading/mime.js';
import { around, type Copy, isFinal, isForNobody, type Ledger } from './ledger.js';

/** An accepted email. */
export interface Sent {
  id: string;
  sender: string;
  to: readonly string[];
  text: string;
}

/** The end of an email in its rows. */
export interface Stored {
  id: string;
  /** True if it has a next attempt. */
  due: boolean;
  last_event: string;
  recipients: readonly { address: string; status: string }[];
}

const TAKEN = ['sent', 'delivered'];

/** Violations of the promises by the two ledgers, in words. */
export async function violations(sent: readonly Sent[], stored: readonly Stored[], ledger: Ledger): Promise<string[]> {
  return [...statusViolations(sent, stored, ledger), ...(await contentViolations(sent, ledger.copies))];
}

/** Each copy must match its email: sender, recipients and text. */
async function contentViolations(sent: readonly Sent[], copies: readonly Copy[]): Promise<string[]> {
  const emails = new Map(sent.map((email) => [email.id, email]));
  const found: string[] = [];
  for (const { id, sender, to, message, place } of copies) {
    const email = emails.get(id);
    if (!email) continue;
    const { text = '' } = await parseMime(message);
    const isOwn = sender === email.sender && to.every((address) => email.to.includes(address));
    if (!isOwn) found.push(`${id}: sent from ${sender} to ${to.join()}: ${around(place)}.`);
    if (linesOf(text) !== linesOf(email.text))
      found.push(`${id}: sent with another text, of ${text.length} characters: ${around(place)}.`);
  }
  return found;
}

/** Without trailing line ends, which may differ. */
function linesOf(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd();
}

function statusViolations(sent: readonly Sent[], stored: readonly Stored[], ledger: Ledger): string[] {
  const rows = new Map(stored.map((row) => [row.id, row]));
  const copies = byEmail(ledger.copies);
  const known = new Set(sent.map(({ id }) => id));
  const strange = ledger.copies.filter((copy) => !known.has(copy.id) && !isForNobody(copy));
  return [
    ...strange.map(({ id, place }) => `A message of the unknown email "${id}" came: ${around(place)}.`),
    ...sent.flatMap((email) => {
      const row = rows.get(email.id);
      if (!row) return [`${email.id}: accepted, and it has no row.`];
      if (row.due) return [`${email.id}: ${row.last_event}, and not at its end.`];
      return email.to.flatMap((address) => {
        const own = (copies.get(email.id) ?? []).filter(({ to }) => to.includes(address));
        const status = row.recipients.find((recipient) => recipient.address === address)?.status ?? 'missing';
        const final = own.findIndex(isFinal);
        const isLast = final < 0 || final === own.length - 1;
        return [
          ...(TAKEN.includes(status) && own.length === 0 ? [`lost: ${status}, and the server never took it.`] : []),
          ...(TAKEN.includes(status) && own.length > 0 && !own.some(mayBeKnown)
            ? [`${status}, and no copy was answered so: ${own.map(({ place }) => around(place)).join(' || ')}.`]
            : []),
          ...(!TAKEN.includes(status) && !ledger.hasRefused(email.sender, address)
            ? [`lost: ${status}, and the server never refused it: ${ledger.dialoguesOf(email.sender)}.`]
            : []),
          ...(isLast ? [] : [`sent again behind a whole final reply: ${around((own[final] as Copy).place)}.`]),
        ].map((text) => `${email.id} to ${address}: ${text}`);
      });
    }),
  ];
}

/**
 * True if the client may have got a reply that the message was accepted. After a deviation another reply may count as
 * that one.
 */
function mayBeKnown({ isInStep, reply }: Copy): boolean {
  return !isInStep || reply === 'whole';
}

function byEmail(copies: readonly Copy[]): Map<string, Copy[]> {
  const found = new Map<string, Copy[]>();
  for (const copy of copies) {
    const others = found.get(copy.id);
    if (others) others.push(copy);
    else found.set(copy.id, [copy]);
  }
  return found;
}
