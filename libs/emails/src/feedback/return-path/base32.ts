/** RFC 4648 section 6, in lower case: it survives servers that fold the case of a local part. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS = 5;

/** Encodes without padding. */
export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let [held, count] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (count += 8; count >= BITS; count -= BITS) text += ALPHABET[(held >> (count - BITS)) & 31];
  }
  return count > 0 ? text + ALPHABET[(held << (BITS - count)) & 31] : text;
}

/** Decodes in any letter case. Undefined for a text that `toBase32` does not give. */
export function fromBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let [held, count] = [0, 0];
  for (const character of text.toLowerCase()) {
    const value = ALPHABET.indexOf(character);
    if (value === -1) return undefined;
    held = ((held << BITS) | value) & 0xfff;
    count += BITS;
    if (count >= 8) {
      count -= 8;
      bytes.push((held >> count) & 0xff);
    }
  }
  const decoded = Buffer.from(bytes);
  return toBase32(decoded) === text.toLowerCase() ? decoded : undefined;
}
