import { textSlices } from '../text/text-slices.js';
import { SLICE } from '../work/slices.js';

/** Stands for a value that is written separately. Our texts never contain NUL, since PostgreSQL cannot store it. */
const MARK = '\0';
const MARK_JSON = JSON.stringify(MARK);
/** Limit of a text whose JSON is made at once. Control characters make it six times as long. Characters. */
const STRETCH = 65_536;
/** Length from which a text is written separately, if all texts together are long. Characters. */
const APART = 4_096;

/** An object that may have long texts. */
export interface WithTexts {
  html?: string | null | undefined;
  text?: string | null | undefined;
}

/** Characters of all texts in a value, at any depth. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  if (Array.isArray(value)) for (const item of value) length += textLength(item);
  else for (const key in value) length += textLength((value as Record<string, unknown>)[key]);
  return length;
}

/**
 * The JSON of an object in pieces of about a slice, each made on demand. All fields except long `html` and `text` are
 * in one piece.
 */
export function jsonPieces(value: WithTexts): Generator<string> {
  return joined(partsOf(value));
}

/**
 * The same for a list of objects, one object after the other.
 *
 * @param around returns the object that contains the list. Default: the list alone
 */
export function listPieces(
  values: readonly WithTexts[],
  around: (list: unknown) => unknown = (list) => list,
): Generator<string> {
  return joined(partsOfList(values, around));
}

function* joined(parts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const part of parts) {
    // Concatenation copies a text, so a long one stays alone.
    const isLong = part.length > SLICE / 2;
    if (piece.length > 0 && (isLong || piece.length + part.length > SLICE)) {
      yield piece;
      piece = '';
    }
    if (isLong) yield part;
    else piece += part;
  }
  yield piece;
}

function* partsOfList(values: readonly WithTexts[], around: (list: unknown) => unknown): Generator<string> {
  const [head = '', tail = ''] = JSON.stringify(around(MARK)).split(MARK_JSON);
  yield `${head}[`;
  for (const [at, value] of values.entries()) {
    if (at > 0) yield ',';
    yield* partsOf(value);
  }
  yield `]${tail}`;
}

function* partsOf(value: WithTexts): Generator<string> {
  const { html, text } = value;
  const apart = [html, text].filter(isApart);
  if (apart.length === 0) return yield JSON.stringify(value);
  const [first = '', ...others] = JSON.stringify(withoutTextsApart(value)).split(MARK_JSON);
  yield first;
  for (const [at, long] of apart.entries()) {
    yield* textPieces(long);
    yield others[at] ?? '';
  }
}

/** The JSON of a text. Without quotes it equals the JSON of its slices. */
export function* textPieces(text: string): Generator<string> {
  yield '"';
  for (const slice of textSlices(text, STRETCH)) yield JSON.stringify(slice).slice(1, -1);
  yield '"';
}

function isApart(text: unknown): text is string {
  return typeof text === 'string' && text.length > APART;
}

function withoutTextsApart<T extends WithTexts>(value: T): T {
  const { html, text } = value;
  return { ...value, ...(isApart(html) && { html: MARK }), ...(isApart(text) && { text: MARK }) };
}
