const NUL = 0x00;
const CR = 0x0d;
const LF = 0x0a;
/** Limit of a line without its end, in bytes (RFC 5322 section 2.1.1). */
const LONGEST_LINE = 998;

/** Kind of unencoded bytes in a message (RFC 2045 sections 2.7 to 2.9). */
export type LineData = '7bit' | '8bit' | 'binary';

/** A single CR or LF ends a line: it becomes CR LF on the wire. */
export async function lineDataOf(content: AsyncIterable<Uint8Array>): Promise<LineData> {
  let length = 0;
  let found: LineData = '7bit';
  for await (const bytes of content) {
    for (const byte of bytes) {
      if (byte === NUL) return 'binary';
      if (byte > 0x7f) found = '8bit';
      length = byte === CR || byte === LF ? 0 : length + 1;
      if (length > LONGEST_LINE) return 'binary';
    }
  }
  return found;
}
