import { isUtf8 } from 'node:buffer';
import { SLICE, type Sliced } from '../work/slices.js';
import { notJson, notUtf8 } from './malformed.js';

/**
 * Replaces a text that an email cannot carry: half of a surrogate pair. `checkJson` refuses it, and names its position.
 */
const HALF = '\ud800';

export interface JsonText {
  text: string;
  /** Position of its closing quote. */
  end: number;
}

/**
 * The text of a JSON string (RFC 8259, section 7) of any length, whose content starts at `start`. Reads it once.
 * Escapes are resolved in place, so it must not be read again.
 *
 * @throws ApiError 400 for an invalid JSON string, or invalid UTF-8
 */
export function* textOfString(bytes: Buffer, start: number): Sliced<JsonText> {
  const parts: string[] = [];
  let isWhole = true;
  for (let read = start; ; ) {
    const slice = resolveEscapes(bytes, read, read + SLICE);
    const part = bytes.subarray(read, slice.written);
    if (!isUtf8(part)) throw notUtf8();
    parts.push(part.toString());
    isWhole &&= slice.isWhole;
    read = slice.read;
    if (bytes[read] === QUOTE) return { text: isWhole ? parts.join('') : HALF, end: read };
    if (read >= bytes.length) throw notJson();
    yield;
  }
}

interface ResolvedSlice {
  /** Start of the next slice, or position of the closing quote. */
  read: number;
  /** End of the resolved bytes, which start at the start of the slice. */
  written: number;
  /** False for half of a surrogate pair, which has no UTF-8 form. */
  isWhole: boolean;
}

/** Moves from `limit` to the end of the character. */
function resolveEscapes(bytes: Buffer, start: number, limit: number): ResolvedSlice {
  let read = start;
  let written = start;
  let isWhole = true;
  for (; read < bytes.length; ) {
    const byte = bytes[read] ?? 0;
    if (byte === QUOTE || (read >= limit && (byte & 0xc0) !== 0x80)) break;
    if (byte < 0x20) throw notJson();
    read++;
    if (byte !== BACKSLASH) {
      bytes[written++] = byte;
      continue;
    }
    const kind = bytes[read++] ?? 0;
    const simple = ESCAPES[kind] ?? 0;
    if (simple !== 0) {
      bytes[written++] = simple;
      continue;
    }
    if (kind !== LETTER_U) throw notJson();
    let code = codeAt(bytes, read);
    read += 4;
    if (isHigh(code) && bytes[read] === BACKSLASH && bytes[read + 1] === LETTER_U) {
      const low = codeAt(bytes, read + 2);
      if (isLow(low)) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        read += 6;
      }
    }
    if (isHigh(code) || isLow(code)) isWhole = false;
    else written = writeUtf8(bytes, written, code);
  }
  return { read, written, isWhole };
}

const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff;

/** The value of four hexadecimal digits. */
function codeAt(bytes: Buffer, start: number): number {
  let code = 0;
  for (let at = start; at < start + 4; at++) {
    const digit = DIGITS[bytes[at] ?? 0] ?? NO_DIGIT;
    if (digit === NO_DIGIT) throw notJson();
    code = (code << 4) | digit;
  }
  return code;
}

/**
 * Writes one character (RFC 3629, section 3), and returns its end. Written by hand for speed, since a text may consist
 * of escapes.
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

const NO_DIGIT = 255;
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, digits] of [...'0123456789abcdef'].entries()) {
  for (const digit of [digits, digits.toUpperCase()]) DIGITS[digit.charCodeAt(0)] = value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** Meaning by the second byte of an escape; 0 for others. */
const ESCAPES = new Uint8Array(256);
for (const [kind, meant] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
})) {
  ESCAPES[kind.charCodeAt(0)] = meant.charCodeAt(0);
}
