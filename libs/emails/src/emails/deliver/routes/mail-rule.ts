import { toAsciiDomain } from '../../../shared/mailbox/domain.js';
import type { MailRule } from '../../ports/named-transport.js';
import type { RoutedMail } from '../../ports/route-chooser.js';

/** True if a transport may take an email. */
export type MayTake = (mail: RoutedMail) => boolean;

const BELOW = '*.';

/** @throws MailboxSyntaxError for a pattern that is no domain */
export function mayTake({ fromDomains, recipientDomains, tags, accounts }: MailRule = {}): MayTake {
  const conditions: MayTake[] = [];
  if (accounts) conditions.push(({ accountId }) => accounts.includes(accountId));
  if (tags) conditions.push((mail) => tags.some((tag) => hasTag(mail, tag)));
  if (fromDomains) {
    const isOurs = isAtOneOf(fromDomains);
    conditions.push(({ fromDomain }) => isOurs(fromDomain));
  }
  if (recipientDomains) {
    const isTheirs = isAtOneOf(recipientDomains);
    conditions.push((mail) => mail.recipientDomains.every(isTheirs));
  }
  return (mail) => conditions.every((meets) => meets(mail));
}

function isAtOneOf(patterns: readonly string[]): (domain: string) => boolean {
  const exact = new Set<string>();
  const endings: string[] = [];
  for (const pattern of patterns) {
    if (pattern.startsWith(BELOW)) endings.push(`.${toAsciiDomain(pattern.slice(BELOW.length))}`);
    else exact.add(toAsciiDomain(pattern));
  }
  return (domain) => exact.has(domain) || endings.some((ending) => domain.endsWith(ending));
}

function hasTag({ tags }: RoutedMail, wanted: string): boolean {
  return tags.some(({ name, value }) => name === wanted || `${name}=${value}` === wanted);
}
