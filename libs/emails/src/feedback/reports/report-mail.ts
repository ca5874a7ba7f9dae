import type { Attachment, Email } from 'postal-mime';
import { type Field, fieldGroups, linesOf } from './fields.js';
import {
  MAX_BYTES,
  MAX_DEPTH,
  MAX_HEADERS,
  MAX_HTML,
  MAX_LINE,
  MAX_LINES,
  MAX_NOTICE,
  MAX_PIECES,
} from './limits-of-reports.js';
import { withoutReturned } from './returned-message.js';
import { textOfHtml } from './text-of-html.js';

/** A received report, taken apart. */
export interface ReportMail {
  headers: readonly Field[];
  /** The text for people, without the returned message. Up to 64 kB, in lines of up to 2 kB. */
  notice: string;
  /** Texts of the parts for programs. */
  deliveryStatus: readonly string[];
  feedback: readonly string[];
  /** Texts of the parts about a message that reached a mailbox. */
  disposition: readonly string[];
  /** Header fields of the returned message. */
  returned: readonly Field[];
}

/** The parts of a message, before they are distinguished. */
interface Parts {
  headers: readonly Field[];
  text: string;
  attachments: readonly Attachment[];
}

/** RFC 3464 section 2, RFC 6533 section 3. */
const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status'];
/** RFC 5965 section 2. */
const FEEDBACK_TYPES = ['message/feedback-report'];
/** RFC 8098 section 3. */
const DISPOSITION_TYPES = ['message/disposition-notification'];
/** RFC 6522 section 4, RFC 6533 section 4, and a form without a standard. */
const RETURNED_TYPES = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
  'text/rfc822',
];

/** A line that begins a part, whatever boundary is declared: gateways declare another one, or none. */
const PIECE = /^--\S{1,100}\r?\n(?=[A-Za-z][\w-]{0,60}:)/m;

/** A message that is a report itself: gateways and people forward reports within another message. */
const IS_REPORT = /^content-type:[ \t]*multipart\/report\b/im;

/** Takes a message apart. Never rejects for its content. */
export async function reportMailOf(bytes: Uint8Array): Promise<ReportMail> {
  const { decodeWords } = await import('postal-mime');
  const decoded = (fields: readonly Field[]) =>
    fields.map((field) =>
      ENCODED.has(field.name) ? { ...field, value: decodeWords(field.value.slice(0, MAX_LINE)) } : field,
    );
  const mail = mailOf(await partsOf(beginningOf(bytes)), decoded);
  const { attached } = mail;
  const isWrapped = [mail.deliveryStatus, mail.feedback, mail.disposition].every((texts) => texts.length === 0);
  if (!isWrapped || !attached || !IS_REPORT.test(headOf(attached))) return mail;
  const inner = mailOf(await partsOf(Buffer.from(attached)), decoded);
  return { ...inner, headers: [...mail.headers, ...inner.headers] };
}

function beginningOf(bytes: Uint8Array): Uint8Array {
  const beginning = withLineFeeds(bytes.subarray(0, MAX_BYTES));
  let end = -1;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    end = beginning.indexOf(LF, end + 1);
    if (end < 0) return beginning;
  }
  return beginning.subarray(0, end + 1);
}

/** A message that was stored with returns alone between its lines. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  return bytes.includes(LF) ? bytes : bytes.map((byte) => (byte === CR ? LF : byte));
}

const CR = 0x0d;
const LF = 0x0a;

function headOf(message: string): string {
  const end = message.search(/\r?\n\r?\n/);
  return message.slice(0, Math.min(end < 0 ? MAX_NOTICE : end, MAX_NOTICE));
}

/** Fields whose words are read. They may be encoded (RFC 2047). */
const ENCODED: ReadonlySet<string> = new Set(['subject', 'from', 'sender']);

function mailOf(
  parts: Parts,
  decoded: (fields: readonly Field[]) => readonly Field[],
): ReportMail & { attached: string | undefined } {
  const texts = (types: readonly string[]) =>
    parts.attachments.filter(({ mimeType }) => types.includes(mimeType.toLowerCase())).map(textOf);
  const [attached] = texts(RETURNED_TYPES);
  const { notice, returned = attached } = withoutReturned(bounded(parts.text));
  return {
    headers: decoded(parts.headers),
    notice,
    deliveryStatus: texts(STATUS_TYPES),
    feedback: texts(FEEDBACK_TYPES),
    disposition: texts(DISPOSITION_TYPES),
    returned: decoded(fieldsOf(attached ?? returned)),
    attached,
  };
}

/** The header fields of a returned message; programs may write empty lines before them. */
function fieldsOf(returned = ''): readonly Field[] {
  return fieldGroups(returned.slice(0, MAX_NOTICE))[0] ?? [];
}

async function partsOf(bytes: Uint8Array): Promise<Parts> {
  const parsed = await parse(bytes);
  return parsed && !isBroken(parsed) ? parsed : ((await recovered(bytes)) ?? parsed ?? NOTHING);
}

const NOTHING: Parts = { headers: [], text: '', attachments: [] };

/** Undefined if the message exceeds a limit. */
async function parse(bytes: Uint8Array): Promise<Parts | undefined> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return partsIn(
      await PostalMime.parse(bytes, {
        forceRfc822Attachments: true,
        maxNestingDepth: MAX_DEPTH,
        maxHeadersSize: MAX_HEADERS,
      }),
    );
  } catch {
    return undefined;
  }
}

function partsIn({ headers, text, html, attachments }: Email): Parts {
  return {
    headers: headers.map(({ key, value }) => ({ name: key, value })),
    text: text?.trim() ? text : textOfHtml((html ?? '').slice(0, MAX_HTML)),
    attachments,
  };
}

/** True if parts are declared and none is found, or those for programs are not. */
function isBroken({ headers, text, attachments }: Parts): boolean {
  const type =
    headers
      .find(({ name }) => name === 'content-type')
      ?.value.trim()
      .toLowerCase() ?? '';
  if (!type.startsWith('multipart/')) return false;
  if (type.startsWith('multipart/report')) return !attachments.some(({ mimeType }) => isForPrograms(mimeType));
  return text.trim() === '' && attachments.length === 0;
}

function isForPrograms(type: string): boolean {
  return [...STATUS_TYPES, ...FEEDBACK_TYPES, ...DISPOSITION_TYPES].includes(type.toLowerCase());
}

/**
 * The parts of a message with broken structure, found by their header fields. Text behind the returned message is part
 * of that. Undefined if there are none.
 */
async function recovered(bytes: Uint8Array): Promise<Parts | undefined> {
  const [head, ...pieces] = Buffer.from(bytes).toString('latin1').split(PIECE, MAX_PIECES);
  if (head === undefined || pieces.length === 0) return undefined;
  const parts: { text: string[]; attachments: Attachment[] } = { text: [], attachments: [] };
  for (const bytes of pieces) {
    const piece = await parse(Buffer.from(bytes, 'latin1'));
    const isReturned = parts.attachments.some(({ mimeType }) => RETURNED_TYPES.includes(mimeType.toLowerCase()));
    if (piece && !isReturned) parts.text.push(piece.text);
    parts.attachments.push(...(piece?.attachments ?? []));
  }
  const headers = fieldGroups(head.slice(0, MAX_HEADERS))[0] ?? [];
  return { headers, text: parts.text.join('\n'), attachments: parts.attachments };
}

function textOf({ content }: Attachment): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('utf8');
}

function bounded(text: string): string {
  return linesOf(text.slice(0, MAX_NOTICE)).join('\n');
}
