import { SLICE, type Sliced, SliceEnd } from '../work/slices.js';

/**
 * Decodes base64 (RFC 4648 section 4; padding optional, lines may end by CR or LF) in place: the bytes overwrite the
 * text, so that 40 MB of text need no second 40 MB. Returns the part of `text` that holds them.
 *
 * `undefined` for any other text, which is then overwritten in part. Nothing is skipped or repaired: Node's decoder
 * drops unknown characters, and the recipient would get wrong bytes.
 */
export function* decodeBase64InPlace(text: Buffer): Sliced<Buffer | undefined> {
  let read = 0;
  let written = 0;
  let group = 0;
  let symbols = 0;
  const slice = new SliceEnd();
  while (valueAt(text, read) !== OTHER) {
    if (slice.reached(read)) yield;
    const groups = symbols === 0 ? decodeGroups(text, read, written, slice.at) : 0;
    read += groups * 4;
    written += groups * 3;
    if (groups > 0) continue;

    const value = valueAt(text, read++);
    if (value === LINE_BREAK) continue;
    group = (group << 6) | value;
    if (++symbols < 4) continue;
    text[written++] = group >> 16;
    text[written++] = group >> 8;
    text[written++] = group;
    group = symbols = 0;
  }
  if (!(yield* isPadding(text, read, symbols))) return undefined;
  if (symbols > 1) text[written++] = group >> (symbols * 6 - 8);
  if (symbols > 2) text[written++] = group >> 2;
  return text.subarray(0, written);
}

/** Decodes whole groups of four symbols up to `end`, or to the first invalid group. Returns their number. */
function decodeGroups(text: Buffer, start: number, target: number, end: number): number {
  let read = start;
  for (let written = target; read + 4 <= end; read += 4) {
    const a = valueAt(text, read);
    const b = valueAt(text, read + 1);
    const c = valueAt(text, read + 2);
    const d = valueAt(text, read + 3);
    if ((a | b | c | d) >= LINE_BREAK) break;
    text[written++] = (a << 2) | (b >> 4);
    text[written++] = (b << 4) | (c >> 2);
    text[written++] = (c << 6) | d;
  }
  return (read - start) / 4;
}

/** Value of the byte; undefined after the end of the text. */
function valueAt(text: Buffer, at: number): number {
  return VALUES[text[at] ?? 0] ?? OTHER;
}

/**
 * True if nothing but padding, and line breaks, is left from `start` on.
 *
 * @param symbols number of symbols after the last whole group
 */
function* isPadding(text: Buffer, start: number, symbols: number): Sliced<boolean> {
  // A single remaining symbol holds six bits, less than a byte.
  if (symbols === 1) return false;
  let padding = 0;
  for (let at = start; at < text.length; at++) {
    if ((at + 1) % SLICE === 0) yield;
    if (text[at] === EQUALS_SIGN) padding++;
    else if (valueAt(text, at) !== LINE_BREAK) return false;
    if (padding > 2) return false;
  }
  return padding === 0 || symbols + padding === 4;
}

const LINE_BREAK = 64;
const OTHER = 65;
const EQUALS_SIGN = 0x3d;

/** Value of each byte: 0 to 63, a line break, or not base64. */
const VALUES = new Uint8Array(256).fill(OTHER);
for (const [value, symbol] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  VALUES[symbol] = value;
}
for (const symbol of Buffer.from('\r\n')) VALUES[symbol] = LINE_BREAK;
