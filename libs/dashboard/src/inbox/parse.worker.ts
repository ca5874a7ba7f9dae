import { parentPort, workerData } from 'node:worker_threads';
import PostalMime, { type Address } from 'postal-mime';
import { unsupportedIn } from './html-support.js';
import type { ParsedMessage } from './parsed-message.js';

/** Limits of headers, and of the characters of each and of other single lines. */
const HEADERS = 500;
const HEADER_LENGTH = 8_000;
/** Limit of parts. */
const PARTS = 500;
const NESTING = 50;
/** Limits of mailboxes in one header, and of characters of a text. */
const MAILBOXES = 500;
const TEXT_LENGTH = 10_000_000;

const message = await PostalMime.parse(workerData as Uint8Array<ArrayBuffer>, {
  attachmentEncoding: 'arraybuffer',
  maxNestingDepth: NESTING,
  forceRfc822Attachments: true,
});

const parsed: ParsedMessage = {
  from: message.from ? line(mailbox(message.from)) : '',
  to: mailboxes(message.to),
  cc: mailboxes(message.cc),
  subject: line(message.subject ?? ''),
  date: lineOrNull(message.date),
  message_id: lineOrNull(message.messageId),
  headers: message.headers
    .slice(0, HEADERS)
    .map(({ key, originalKey, value }) => ({ name: line(originalKey ?? key), value: line(value) })),
  html: message.html?.slice(0, TEXT_LENGTH) ?? null,
  text: message.text?.slice(0, TEXT_LENGTH) ?? null,
  unsupported: unsupportedIn(message.html?.slice(0, TEXT_LENGTH) ?? ''),
  attachments: message.attachments.slice(0, PARTS).map(({ filename, mimeType, contentId, content }) => ({
    filename: lineOrNull(filename),
    contentType: line(mimeType),
    contentId: lineOrNull(contentId),
    content: new Uint8Array(content as ArrayBuffer),
  })),
};
parentPort?.postMessage(parsed);

function line(text: string): string {
  return text.slice(0, HEADER_LENGTH);
}

function lineOrNull(text: string | null | undefined): string | null {
  return text == null ? null : line(text);
}

function mailboxes(addresses: readonly Address[] | undefined): string[] {
  return (addresses ?? []).slice(0, MAILBOXES).map((address) => line(mailbox(address)));
}

/** A group with its members counts as one. */
function mailbox({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(mailbox).join(', ')};`;
  return name ? `${name} <${address ?? ''}>` : (address ?? '');
}
