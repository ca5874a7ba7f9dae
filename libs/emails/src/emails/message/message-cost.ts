import type { PendingEmail } from '../storage/deliver/delivery.repository.js';
import { isShort } from './html-texts.js';

/** Limit of header fields that are quick to compose: ten times those of most emails. Characters. */
const FEW = 8_000;
/** Lowest cost: even a little html may have tags that take long. */
const LOWEST = 16_000;

type Content = Pick<PendingEmail, 'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'html' | 'text' | 'headers'>;

/**
 * Characters of the parts whose message takes long to build: html to be converted in a thread, and many header fields.
 * 0 if there are none, which holds for most emails.
 */
export function costOf(email: Content): number {
  const { html, text } = email;
  const converted = html !== null && text === null && !isShort(html) ? html.length : 0;
  const head = headLength(email);
  const cost = converted + (head > FEW ? head : 0);
  return cost > 0 ? Math.max(LOWEST, cost) : 0;
}

/** True if the header fields take several milliseconds to compose. */
export function hasLargeHead(email: Content): boolean {
  return headLength(email) > FEW;
}

function headLength({ from, to, cc, replyTo, subject, headers }: Content): number {
  let length = from.length + subject.length;
  for (const mailboxes of [to, cc, replyTo]) for (const mailbox of mailboxes) length += mailbox.length;
  for (const [name, value] of headers) length += name.length + value.length;
  return length;
}
