import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';

/** What of an email it can be found by; mailboxes as they were accepted. */
interface Findable {
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  tags: readonly { name: string; value: string }[];
  topicId: string | null;
}

/** Seed of the hashes, so that they are none of another purpose: `term` in ASCII. */
const SEED = 0x7465_726d;

/** An account as `deliveries` has it: shorter than its id. Two of them may have the same. @param account as SQL */
export const accountHash = (account: string) => `hashtextextended(${account}, ${SEED})`;

/** A term as `email_terms` has it: no two accounts share one. @param text what `terms` makes, as SQL @param account as SQL */
export const termHash = (text: string, account: string) => `hashtextextended(${text}, ${accountHash(account)})`;

/** The words for what an email can be found by: the same when it is written and when it is looked for. */
export const terms = {
  /** An address in any of to, cc and bcc. @param key what `addressKey` makes of it */
  recipient: (key: string) => `rcpt:${key}`,
  cc: (key: string) => `cc:${key}`,
  bcc: (key: string) => `bcc:${key}`,
  from: (key: string) => `from:${key}`,
  /** @param domain in lower-case A-labels */
  fromDomain: (domain: string) => `from:@${domain}`,
  replyTo: (key: string) => `reply:${key}`,
  tag: (name: string) => `tag:${name}`,
  tagValue: (name: string, value: string) => `tag:${name}:${value}`,
  topic: (id: string) => `topic:${id.toLowerCase()}`,
} as const;

/** Everything that the email can be found by, each once. What is no mailbox is passed over. */
export function termsOf({ from, to, cc, bcc, replyTo, tags, topicId }: Findable): string[] {
  const found: string[] = [];
  const sender = keyOf(from);
  if (sender !== undefined) found.push(terms.from(sender), terms.fromDomain(sender.slice(sender.lastIndexOf('@') + 1)));
  addMailboxes(found, to, terms.recipient);
  addMailboxes(found, cc, terms.recipient, terms.cc);
  addMailboxes(found, bcc, terms.recipient, terms.bcc);
  addMailboxes(found, replyTo, terms.replyTo);
  for (const { name, value } of tags) found.push(terms.tag(name), terms.tagValue(name, value));
  if (topicId !== null) found.push(terms.topic(topicId));
  return [...new Set(found)];
}

function addMailboxes(found: string[], mailboxes: readonly string[], ...kinds: ((key: string) => string)[]): void {
  for (const mailbox of mailboxes) {
    const key = keyOf(mailbox);
    if (key !== undefined) for (const kind of kinds) found.push(kind(key));
  }
}

function keyOf(mailbox: string): string | undefined {
  const address = mailbox.endsWith('>') ? mailbox.slice(mailbox.lastIndexOf('<') + 1, -1) : mailbox;
  // A mailbox that was accepted once, and in ASCII: reading it again would say the same.
  if (PLAIN.test(address)) return address.toLowerCase();
  return mailboxKey(mailbox);
}

const PLAIN = /^[\w!#$%&'*+/=?^`{|}~.-]+@[A-Za-z0-9.-]+$/;
