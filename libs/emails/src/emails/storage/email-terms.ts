import { domainOf } from '../../shared/mailbox/domain-of.js';
import { mailboxKey } from '../../shared/mailbox/mailbox-key.js';

/** The fields of an email from which search terms are made; mailboxes as they were accepted. */
interface Findable {
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  tags: readonly { name: string; value: string }[];
  topicId: string | null;
}

/** Seed that separates these hashes from those of other purposes: `term` in ASCII. */
const SEED = 0x7465_726d;

/** An account's hash in `deliveries`, shorter than its id. Two accounts may have the same. @param account as SQL */
export const accountHash = (account: string) => `hashtextextended(${account}, ${SEED})`;

/**
 * A term's hash in `email_terms`; different for each account. @param text a result of `terms`, as SQL @param account as
 * SQL
 */
export const termHash = (text: string, account: string) => hashIn(text, accountHash(account));

/** The same for many terms of an account. @param hash `accountHash` of the account, as SQL */
export const hashIn = (text: string, hash: string) => `hashtextextended(${text}, ${hash})`;

/** Stands between the terms of an email in one text, which is cheaper to read than a list. No term contains it. */
export const BETWEEN_TERMS = '\n';

const WORD = 'w:';
const TRANSPORT = 'transport:';

/** The hash of the term of a transport. @param name as SQL @param hash `accountHash` of the account, as SQL */
export const transportHash = (name: string, hash: string) => hashIn(`'${TRANSPORT}' || ${name}`, hash);

/** Search terms: the same when an email is written and when it is searched. */
export const terms = {
  /** An address in to, cc or bcc. @param key result of `addressKey` */
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
  /** Written with the end of an attempt, while there are several. */
  transport: (name: string) => `${TRANSPORT}${name}`,
  /** @param word one of `wordsOf` the subject, or of a mailbox in from, to, cc or bcc */
  word: (word: string) => `${WORD}${word}`,
} as const;

/** True if a term comes from the words of an email, which a host may leave unindexed. */
export const isWordTerm = (term: string) => term.startsWith(WORD);

/** All search terms of an email but those of its words, without duplicates. Values that are not mailboxes are skipped. */
export function termsOf({ from, to, cc, bcc, replyTo, tags, topicId }: Findable): string[] {
  const found: string[] = [];
  const sender = keyOf(from);
  if (sender !== undefined) found.push(terms.from(sender), terms.fromDomain(domainOf(sender)));
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
  // An accepted ASCII mailbox needs no second parsing.
  if (PLAIN.test(address)) return address.toLowerCase();
  return mailboxKey(mailbox);
}

const PLAIN = /^[\w!#$%&'*+/=?^`{|}~.-]+@[A-Za-z0-9.-]+$/;
