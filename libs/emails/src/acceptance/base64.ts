/**
 * Decodes base64 (RFC 4648 section 4; padding optional, lines may end by CR or LF) within its own memory: the bytes
 * take the place of the text, so that 40 MB of text need no second 40 MB. Returns the part of `text` that holds them.
 *
 * `undefined` for anything else, and then `text` is spoilt. Nothing is skipped or repaired: the decoder of Node would
 * drop what it does not know, and the recipient would get other bytes than were meant.
 */
export function decodeBase64InPlace(text: Buffer): Buffer | undefined {
  let read = 0;
  let written = 0;
  let group = 0;
  let symbols = 0;
  for (; read < text.length; read++) {
    const value = VALUES[text[read] ?? 0] ?? OTHER;
    if (value < 64) {
      group = (group << 6) | value;
      if (++symbols < 4) continue;
      text[written++] = group >> 16;
      text[written++] = group >> 8;
      text[written++] = group;
      group = symbols = 0;
    } else if (value !== LINE_BREAK) break;
  }
  if (!isPadding(text.subarray(read), symbols)) return undefined;
  if (symbols > 1) text[written++] = group >> (symbols * 6 - 8);
  if (symbols > 2) text[written++] = group >> 2;
  return text.subarray(0, written);
}

/** @param symbols how many follow the last whole group */
function isPadding(tail: Buffer, symbols: number): boolean {
  // One symbol left over holds six bits: less than a byte.
  if (symbols === 1) return false;
  let padding = 0;
  for (const byte of tail) {
    if (byte === EQUALS_SIGN) padding++;
    else if (VALUES[byte] !== LINE_BREAK) return false;
    if (padding > 2) return false;
  }
  return padding === 0 || symbols + padding === 4;
}

const LINE_BREAK = 64;
const OTHER = 65;
const EQUALS_SIGN = 0x3d;

/** What each byte means: 0 to 63, a line break, or nothing in base64. */
const VALUES = new Uint8Array(256).fill(OTHER);
for (const [value, symbol] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  VALUES[symbol] = value;
}
for (const symbol of Buffer.from('\r\n')) VALUES[symbol] = LINE_BREAK;
