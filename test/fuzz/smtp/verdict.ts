import { around, type Copy, isFinal, type Ledger } from './ledger.js';

/** An email as it was accepted. */
export interface Sent {
  id: string;
  sender: string;
  to: readonly string[];
}

/** An email as its rows say it ended. */
export interface Stored {
  id: string;
  /** Whether it has a next attempt. */
  due: boolean;
  last_event: string;
  recipients: readonly { address: string; status: string }[];
}

const TAKEN = ['sent', 'delivered'];

/** What the two ledgers say against the promises, in words. */
export function violations(sent: readonly Sent[], stored: readonly Stored[], ledger: Ledger): string[] {
  const rows = new Map(stored.map((row) => [row.id, row]));
  const copies = byEmail(ledger.copies);
  const known = new Set(sent.map(({ id }) => id));
  const strange = ledger.copies.filter(({ id }) => !known.has(id));
  return [
    ...strange.map(({ id }) => `A message of the unknown email "${id}" came.`),
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
          ...(!TAKEN.includes(status) && !ledger.hasRefused(email.sender, address)
            ? [`lost: ${status}, and the server never refused it: ${ledger.dialoguesOf(email.sender)}.`]
            : []),
          ...(isLast ? [] : [`sent again behind a whole final reply: ${around((own[final] as Copy).place)}.`]),
        ].map((text) => `${email.id} to ${address}: ${text}`);
      });
    }),
  ];
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
