import { parentPort, workerData } from 'node:worker_threads';
import PostalMime, { type Address } from 'postal-mime';
import type { ParsedMessage } from './parsed-message.js';

/** Headers that are shown at most, and characters of each. */
const HEADERS = 500;
const HEADER_LENGTH = 8_000;
/** Parts that are shown at most. */
const PARTS = 500;
const NESTING = 50;
/** Mailboxes of one header, and characters of a text, that are shown at most. */
const MAILBOXES = 500;
const TEXT_LENGTH = 10_000_000;

const message = await PostalMime.parse(workerData as Uint8Array<ArrayBuffer>, {
  attachmentEncoding: 'arraybuffer',
  maxNestingDepth: NESTING,
  forceRfc822Attachments: true,
});

const parsed: ParsedMessage = {
  from: message.from ? mailbox(message.from) : '',
  to: (message.to ?? []).slice(0, MAILBOXES).map(mailbox),
  cc: (message.cc ?? []).slice(0, MAILBOXES).map(mailbox),
  subject: (message.subject ?? '').slice(0, HEADER_LENGTH),
  date: message.date ?? null,
  message_id: message.messageId ?? null,
  headers: message.headers
    .slice(0, HEADERS)
    .map(({ key, originalKey, value }) => ({ name: originalKey ?? key, value: value.slice(0, HEADER_LENGTH) })),
  html: message.html?.slice(0, TEXT_LENGTH) ?? null,
  text: message.text?.slice(0, TEXT_LENGTH) ?? null,
  attachments: message.attachments.slice(0, PARTS).map(({ filename, mimeType, contentId, content }) => ({
    filename,
    contentType: mimeType,
    contentId: contentId ?? null,
    content: new Uint8Array(content as ArrayBuffer),
  })),
};
parentPort?.postMessage(parsed);

function mailbox({ name, address, group }: Address): string {
  if (group) return `${name}: ${group.map(mailbox).join(', ')};`;
  return name ? `${name} <${address ?? ''}>` : (address ?? '');
}
