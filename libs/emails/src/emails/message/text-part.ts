import { Readable } from 'node:stream';
import { inTurns, nextTurn, SLICE, type Sliced } from '../../shared/work/slices.js';

/** Characters that are encoded in one turn of the event loop: quoted-printable takes a few milliseconds for them. */
const PIECE = 16_384;

/** A text for nodemailer: the text itself, or a stream of its pieces. */
export type TextContent = string | { content: Readable; contentTransferEncoding: 'quoted-printable' | 'base64' };

/** A text as the content of a part. Each call returns it from the beginning. */
export type TextPart = () => TextContent;

/** A text that is encoded piece by piece, with the encoding that nodemailer would choose for the whole. */
export async function largeTextPart(text: string): Promise<TextPart> {
  const isLatin = await inTurns(hasMostlyLatinLetters(text));
  const contentTransferEncoding = isLatin ? 'quoted-printable' : 'base64';
  return () => ({ content: Readable.from(piecesOf(text), { objectMode: false }), contentTransferEncoding });
}

/** True if there are more Latin letters than characters that quoted-printable has to encode. */
function* hasMostlyLatinLetters(text: string): Sliced<boolean> {
  let letters = 0;
  let encoded = 0;
  for (let start = 0; start < text.length; start += SLICE) {
    if (start > 0) yield;
    const end = Math.min(text.length, start + SLICE);
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d)) encoded++;
      else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters++;
    }
  }
  return encoded < letters;
}

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; ) {
    const end = at + PIECE;
    // Both halves of a surrogate pair are one character.
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield Buffer.from(text.slice(at, next));
    at = next;
    await nextTurn();
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
