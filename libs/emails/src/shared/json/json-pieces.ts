import { textSlices } from '../text/text-slices.js';
import { SLICE } from '../work/slices.js';

/** What stands for a text that is written by itself. No text of ours has NUL in it: PostgreSQL cannot keep it. */
const MARK = '\0';
/** Characters from which on a text is written by itself, where all texts together are long. */
const APART = 4_096;

/** What may have long texts. */
export interface WithTexts {
  html?: string | null | undefined;
  text?: string | null | undefined;
}

/** Whether the texts of these are together more than a slice. */
export function haveLongTexts(values: readonly WithTexts[]): boolean {
  let length = 0;
  for (const { html, text } of values) length += lengthOf(html) + lengthOf(text);
  return length > SLICE;
}

/**
 * The JSON of something whose `html` and `text` may be long, in pieces of about a slice: nothing is done before the next
 * piece is asked for. Without long texts it is one piece.
 *
 * @param values those that have texts, in the order in which they are in the JSON
 * @param write gives the JSON of the same values with other texts. The order of keys: `html` before `text`
 */
export function* jsonPieces<T extends WithTexts>(
  values: readonly T[],
  write: (values: readonly T[]) => string,
): Generator<string> {
  if (!haveLongTexts(values)) return yield write(values);
  let piece = '';
  for (const part of partsOf(values, write)) {
    if (piece.length > 0 && piece.length + part.length > SLICE) {
      yield piece;
      piece = '';
    }
    piece += part;
  }
  yield piece;
}

function* partsOf<T extends WithTexts>(
  values: readonly T[],
  write: (values: readonly T[]) => string,
): Generator<string> {
  const apart = values.flatMap(({ html, text }) => [html, text].filter(isApart));
  const [first = '', ...others] = write(values.map(withoutTextsApart)).split(JSON.stringify(MARK));
  yield first;
  for (const [at, text] of apart.entries()) {
    yield '"';
    // The JSON of a text, without quotes, is that of its slices.
    for (const slice of textSlices(text)) yield JSON.stringify(slice).slice(1, -1);
    yield `"${others[at] ?? ''}`;
  }
}

function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}

function isApart(text: unknown): text is string {
  return typeof text === 'string' && text.length > APART;
}

function withoutTextsApart<T extends WithTexts>(value: T): T {
  const { html, text } = value;
  return { ...value, ...(isApart(html) && { html: MARK }), ...(isApart(text) && { text: MARK }) };
}
