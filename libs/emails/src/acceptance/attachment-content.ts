/**
 * The bytes of an attachment's `content`: a base64 text (RFC 4648 section 4, padding optional, lines ended by CR or LF
 * as MIME tools write them), an array of byte values, or a serialised Node Buffer (`{"type": "Buffer", "data": […]}`).
 *
 * Returns `undefined` for anything else. Nothing is skipped or repaired: the decoder of Node would silently drop what
 * it does not know, and the recipient would get other bytes than were meant. Made for contents of 40 MB: one pass, no
 * copies beside the result.
 */
export function decodeAttachmentContent(content: unknown): Buffer | undefined {
  if (typeof content === 'string') return decodeBase64(content);
  if (Array.isArray(content)) return decodeBytes(content);
  return isSerialisedBuffer(content) ? decodeBytes(content.data) : undefined;
}

function decodeBase64(text: string): Buffer | undefined {
  const end = text.search(NOT_BASE64_LINES);
  const padding = end === -1 ? 0 : countPadding(text.slice(end));
  if (padding === undefined) return undefined;
  const symbols = (end === -1 ? text.length : end) - countLineBreaks(text, end === -1 ? text.length : end);
  // One symbol left over holds six bits: less than a byte.
  if (symbols % 4 === 1 || (padding > 0 && (symbols + padding) % 4 !== 0)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === Math.floor((symbols * 3) / 4) ? bytes : undefined;
}

/** How many `=` there are in what follows the last symbol; `undefined` when there is anything else. */
function countPadding(tail: string): number | undefined {
  if (NOT_PADDING.test(tail)) return undefined;
  const padding = tail.length - countLineBreaks(tail, tail.length);
  return padding <= 2 ? padding : undefined;
}

function countLineBreaks(text: string, end: number): number {
  let count = 0;
  for (const lineBreak of ['\r', '\n']) {
    for (let at = text.indexOf(lineBreak); at !== -1 && at < end; at = text.indexOf(lineBreak, at + 1)) count++;
  }
  return count;
}

function decodeBytes(values: readonly unknown[]): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(values.length);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255) return undefined;
    bytes[index] = value;
  }
  return bytes;
}

function isSerialisedBuffer(content: unknown): content is { type: 'Buffer'; data: readonly unknown[] } {
  return (
    typeof content === 'object' &&
    content !== null &&
    'type' in content &&
    content.type === 'Buffer' &&
    'data' in content &&
    Array.isArray(content.data) &&
    Object.keys(content).length === 2
  );
}

/** Both look for the first wrong character: unlike a match of the whole, that needs no memory for going back. */
const NOT_BASE64_LINES = /[^A-Za-z0-9+/\r\n]/;
const NOT_PADDING = /[^=\r\n]/;
