import { listPieces } from '../../../shared/json/json-pieces.js';
import { inTurns, SLICE, type Sliced } from '../../../shared/work/slices.js';
import { BETWEEN_TERMS, terms } from '../email-terms.js';
import type { NewEmail } from './new-email.js';
import type { JoinedTransaction } from './transactions.js';

/** An email in the form that is written. */
type Written = NewEmail & {
  /** The email that it copies. */
  resentFrom?: string;
};

/** Overhead of an address, a header or a tag. Characters. */
const COST = 100;

/**
 * The JSON of emails for the accepting statements. Long JSON is returned as pieces of UTF-8, each made in its own turn
 * of the event loop.
 */
export function emailsJson(emails: readonly Written[]): string | Promise<Buffer[]> {
  const rows = emails.map(rowOf);
  return areLong(emails) ? inTurns(inSlices(rows)) : JSON.stringify(rows);
}

/** The same for the host's transaction, which sends a value as a whole. Not every driver sends bytes as text. */
export function textOf(
  json: string | readonly Buffer[],
  { runner }: Pick<JoinedTransaction, 'runner'>,
): string | Buffer {
  if (typeof json === 'string') return json;
  const bytes = Buffer.concat(json);
  return runner ? bytes : bytes.toString();
}

/** Whether their JSON is longer than a slice, or nearly so. */
function areLong(emails: readonly Written[]): boolean {
  let size = 0;
  for (const { html, text, to, cc, bcc, replyTo, headers, tags } of emails) {
    size += (html?.length ?? 0) + (text?.length ?? 0);
    size += lengthOf(to) + lengthOf(cc) + lengthOf(bcc) + lengthOf(replyTo);
    for (const [name, value] of headers) size += name.length + value.length + COST;
    for (const { name, value } of tags) size += name.length + value.length + COST;
  }
  return size > SLICE;
}

function lengthOf(mailboxes: readonly string[]): number {
  let length = 0;
  for (const mailbox of mailboxes) length += mailbox.length + COST;
  return length;
}

/**
 * Contains only fields with a value: PostgreSQL puts each field of an object into a hash, and reads an absent one as
 * null. An email with few fields costs 5 % less.
 */
function rowOf(email: Written) {
  const { id, accountId, messageId, from, to, cc, bcc, replyTo, subject, headers, tags, recipients } = email;
  return {
    id,
    accountId,
    messageId,
    from,
    to,
    cc: unlessEmpty(cc),
    bcc: unlessEmpty(bcc),
    replyTo: unlessEmpty(replyTo),
    subject,
    html: email.html ?? undefined,
    text: email.text ?? undefined,
    headers: unlessEmpty(headers),
    tags: unlessEmpty(tags),
    topicId: email.topicId ?? undefined,
    templateId: email.templateId,
    scheduledAt: email.scheduledAt ?? undefined,
    recipients,
    terms: termsText(email),
    attachments: unlessEmpty(email.attachments),
    idempotency: email.idempotency ?? undefined,
    apiKeyId: email.apiKeyId,
    domainId: email.domainId,
    sensitive: email.sensitive || undefined,
    isBulk: email.isBulk || undefined,
    resentFrom: email.resentFrom,
  };
}

const BETWEEN_WORDS = `${BETWEEN_TERMS}${terms.word('')}`;

/** The terms of words are composed here, because a list of them takes longer to make and to read. */
function termsText({ terms, words }: Written): string {
  const text = terms.join(BETWEEN_TERMS);
  return words.length > 0 ? `${text}${BETWEEN_WORDS}${words.join(BETWEEN_WORDS)}` : text;
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

function* inSlices(rows: readonly ReturnType<typeof rowOf>[]): Sliced<Buffer[]> {
  const pieces: Buffer[] = [];
  for (const piece of listPieces(rows)) {
    pieces.push(Buffer.from(piece));
    yield;
  }
  return pieces;
}
