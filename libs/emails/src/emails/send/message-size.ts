/* Sizes on the wire of the parts that `MessageBuilder` makes, including headers. */

import { inTurns, SLICE, type Sliced } from '../../shared/work/slices.js';

/** `textPartSize` of these texts together; a promise if one is long. */
export function textSize(texts: readonly string[]): number | Promise<number> {
  const sizes = texts.map((text) => (text.length <= SHORT ? shortPartSize(text) : inTurns(textPartSize(text))));
  if (sizes.every((size) => typeof size === 'number')) return sum(sizes);
  return Promise.all(sizes).then(sum);
}

/**
 * Bytes of a text of html or plain text: base64 if Latin letters are few, else quoted-printable. A short text hardly
 * matters in a message, and is counted with its maximal size.
 */
export function* textPartSize(text: string): Sliced<number> {
  if (text.length <= SHORT) return shortPartSize(text);
  let bytes = 0;
  let letters = 0;
  let others = 0;
  let signs = 0;
  for (let start = 0; start < text.length; start += SLICE) {
    if (start > 0) yield;
    const end = Math.min(text.length, start + SLICE);
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) {
        others++;
        // Each half of a surrogate pair counts two of its four bytes.
        bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
      } else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters++;
      else if (code === EQUALS_SIGN) signs++;
    }
  }
  const ascii = text.length - others;
  bytes += ascii;
  if (others >= letters && others > 0) return PART + base64Size(bytes);
  const characters = ascii + 2 * signs + 3 * (bytes - ascii);
  return PART + characters + (characters > bytes ? Math.ceil(characters / LINE) * 3 : 0);
}

function shortPartSize(text: string): number {
  return PART + 4 * Buffer.byteLength(text);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

export function attachmentPartSize(bytes: number, filename: string | null): number {
  // The name appears twice, each byte in up to three characters.
  return PART + 6 * Buffer.byteLength(filename ?? '') + base64Size(bytes);
}

/** The largest attachment whose part has at most `size` bytes with any name. May be negative. */
export function largestAttachment(size: number): number {
  return Math.floor((size - PART) / (LINE + 2)) * BYTES_PER_LINE;
}

/** In lines of 76 characters, each with CR LF (RFC 2045 section 6.8). */
function base64Size(bytes: number): number {
  const characters = Math.ceil(bytes / 3) * 4;
  return characters + Math.ceil(characters / LINE) * 2;
}

/** Characters. */
const SHORT = 10_000;
const LINE = 76;
const BYTES_PER_LINE = 57;
const EQUALS_SIGN = 0x3d;
/** Boundary and headers of a part. */
const PART = 200;
