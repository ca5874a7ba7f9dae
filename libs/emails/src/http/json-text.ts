import { isUtf8 } from 'node:buffer';
import { SLICE, type Sliced, SliceEnd } from '../acceptance/slices.js';
import { ApiError } from '../errors/api-error.js';

/** What stands for a text that no email can carry: half of a surrogate pair. `checkJson` refuses it, and names its place. */
const HALF = '\ud800';

/**
 * The text of a JSON string (RFC 8259, section 7) of any length, of which `bytes` are what is between its quotes. Escapes
 * are resolved in their place: the result is never longer.
 *
 * @throws ApiError 400 when it is no JSON string, or not UTF-8
 */
export function* textOfString(bytes: Buffer): Sliced<string> {
  const plain = yield* resolveEscapes(bytes);
  if (!plain) return HALF;
  const parts: string[] = [];
  for (let start = 0; start < plain.length; ) {
    if (start > 0) yield;
    const end = endOfCharacter(plain, start + SLICE);
    const part = plain.subarray(start, end);
    if (!isUtf8(part)) throw ApiError.malformed('The request body is not valid UTF-8.');
    parts.push(part.toString());
    start = end;
  }
  return parts.join('');
}

/** The end of the character that begins before `at` and goes beyond it, or `at`. */
function endOfCharacter(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && end < at + 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
  return Math.min(end, bytes.length);
}

/** Undefined when there is half of a surrogate pair, which has no UTF-8 form. */
function* resolveEscapes(bytes: Buffer): Sliced<Buffer | undefined> {
  const slice = new SliceEnd();
  let written = 0;
  for (let read = 0; read < bytes.length; ) {
    if (slice.reached(read)) yield;
    const byte = bytes[read++] ?? 0;
    if (byte < 0x20) throw malformed();
    if (byte !== BACKSLASH) {
      bytes[written++] = byte;
      continue;
    }
    const kind = bytes[read++] ?? 0;
    const simple = ESCAPES.get(kind);
    if (simple !== undefined) {
      bytes[written++] = simple;
      continue;
    }
    if (kind !== LETTER_U) throw malformed();
    let code = codeAt(bytes, read);
    read += 4;
    if (isHigh(code) && bytes[read] === BACKSLASH && bytes[read + 1] === LETTER_U) {
      const low = codeAt(bytes, read + 2);
      if (!isLow(low)) return undefined;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      read += 6;
    }
    if (isHigh(code) || isLow(code)) return undefined;
    written = writeUtf8(bytes, written, code);
  }
  return bytes.subarray(0, written);
}

const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/** The value of four hexadecimal digits. */
function codeAt(bytes: Buffer, start: number): number {
  let code = 0;
  for (let at = start; at < start + 4; at++) {
    const digit = DIGITS[bytes[at] ?? 0] ?? NO_DIGIT;
    if (digit === NO_DIGIT) throw malformed();
    code = (code << 4) | digit;
  }
  return code;
}

/**
 * Writes one character (RFC 3629, section 3), and returns where it ends. By hand, since a text may be nothing but
 * escapes.
 */
function writeUtf8(bytes: Buffer, start: number, code: number): number {
  let at = start;
  if (code < 0x80) {
    bytes[at++] = code;
    return at;
  }
  if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
  else if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
  else bytes[at++] = 0xf0 | (code >> 18);
  if (code >= 0x10000) bytes[at++] = continuation(code >> 12);
  if (code >= 0x800) bytes[at++] = continuation(code >> 6);
  bytes[at++] = continuation(code);
  return at;
}

const continuation = (bits: number) => 0x80 | (bits & 0x3f);

function malformed(): ApiError {
  return ApiError.malformed('The request body is not valid JSON.');
}

const NO_DIGIT = 255;
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, digits] of [...'0123456789abcdef'].entries()) {
  for (const digit of [digits, digits.toUpperCase()]) DIGITS[digit.charCodeAt(0)] = value;
}

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** The second byte of an escape, and what it stands for. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([kind, meant]) => [kind.charCodeAt(0), meant.charCodeAt(0)],
  ),
);
