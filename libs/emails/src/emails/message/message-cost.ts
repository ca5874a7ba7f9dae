import type { InlineLimits, PendingEmail } from '../storage/deliver/delivery.repository.js';
import { isShort, SHORT } from './html-texts.js';

/** Limit of header fields that are quick to compose: ten times those of most emails. Characters. */
const FEW = 8_000;
/** Lowest cost: even a little html may have tags that take long. */
const LOWEST = 16_000;

/**
 * Limits of the content that is read together with a lease. Longer html without text is costly: an email that is put off
 * is leased again, and reading its content each time would delay the others.
 */
export const INLINE_LIMITS: InlineLimits = { content: 250_000, htmlOnly: SHORT.length };

type Head = Pick<PendingEmail, 'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'headers'>;
type Content = Head & Pick<PendingEmail, 'html' | 'contentSize' | 'isHtmlOnly'>;

/**
 * Bytes of the parts whose message takes long to build: html to be converted in a thread, and many header fields. 0 if
 * there are none, which holds for most emails. The same whether the content was read or not.
 */
export function costOf(email: Content): number {
  const { html, contentSize, isHtmlOnly } = email;
  const isLong = contentSize > INLINE_LIMITS.htmlOnly || (html !== null && !isShort(html));
  const converted = isHtmlOnly && isLong ? contentSize : 0;
  const head = headLength(email);
  const cost = converted + (head > FEW ? head : 0);
  return cost > 0 ? Math.max(LOWEST, cost) : 0;
}

/** True if the header fields take several milliseconds to compose. */
export function hasLargeHead(email: Head): boolean {
  return headLength(email) > FEW;
}

function headLength({ from, to, cc, replyTo, subject, headers }: Head): number {
  let length = from.length + subject.length;
  for (const mailboxes of [to, cc, replyTo]) for (const mailbox of mailboxes) length += mailbox.length;
  for (const [name, value] of headers) length += name.length + value.length;
  return length;
}
