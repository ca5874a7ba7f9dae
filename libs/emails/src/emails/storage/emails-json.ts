import { isLong, jsonPieces, type WithTexts } from '../../shared/json/json-pieces.js';
import { inTurns, type Sliced } from '../../shared/work/slices.js';

/** The JSON of emails for PostgreSQL; where texts are long, as UTF-8 that was made in slices. */
export function emailsJson(emails: readonly WithTexts[]): string | Promise<Buffer> {
  const hasLongTexts = emails.some(({ html, text }) => isLong(html) || isLong(text));
  return hasLongTexts ? inTurns(inSlices(emails)) : JSON.stringify(emails);
}

function* inSlices(emails: readonly WithTexts[]): Sliced<Buffer> {
  const pieces: Buffer[] = [];
  for (const piece of jsonPieces(emails, JSON.stringify)) {
    pieces.push(Buffer.from(piece));
    yield;
  }
  return Buffer.concat(pieces);
}
