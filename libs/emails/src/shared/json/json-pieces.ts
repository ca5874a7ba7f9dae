import { textSlices } from '../text/text-slices.js';
import { SLICE } from '../work/slices.js';

/** What stands for a text that is written by itself. No text of ours has NUL in it: PostgreSQL cannot keep it. */
const MARK = '\0';
/** Characters from which on a text is written by itself, where all texts together are long. */
const APART = 4_096;

/** What may have long texts: `html` before `text`. */
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
 * The JSON of something with many values, of which each may have a long `html` and `text`, in pieces of about a slice:
 * nothing is done before the next piece is asked for.
 *
 * @param values in the order in which they are in the JSON
 * @param frame gives the JSON with other values in their places
 */
export function* jsonPieces(
  values: readonly WithTexts[],
  frame: (values: readonly unknown[]) => string,
): Generator<string> {
  const [first = '', ...others] = frame(values.map(() => MARK)).split(JSON.stringify(MARK));
  let piece = first;
  for (const [at, value] of values.entries()) {
    for (const part of partsOf(value)) {
      // What is added to a text is copied with it: not to a long one.
      const isLong = part.length > SLICE / 2;
      if (piece.length > 0 && (isLong || piece.length + part.length > SLICE)) {
        yield piece;
        piece = '';
      }
      if (isLong) yield part;
      else piece += part;
    }
    piece += others[at] ?? '';
  }
  yield piece;
}

function* partsOf(value: WithTexts): Generator<string> {
  const apart = [value.html, value.text].filter(isApart);
  if (apart.length === 0) return yield JSON.stringify(value);
  const [first = '', ...others] = JSON.stringify(withoutTextsApart(value)).split(JSON.stringify(MARK));
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

function withoutTextsApart(value: WithTexts): WithTexts {
  const { html, text } = value;
  return { ...value, ...(isApart(html) && { html: MARK }), ...(isApart(text) && { text: MARK }) };
}
