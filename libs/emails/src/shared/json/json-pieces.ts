import { SLICE } from '../work/slices.js';

/** What stands for a long text. No text of ours has NUL in it: PostgreSQL cannot keep it. */
const MARK = '\0';

/** What may have long texts. */
export interface WithTexts {
  html?: string | null | undefined;
  text?: string | null | undefined;
}

export function isLong(text: unknown): text is string {
  return typeof text === 'string' && text.length > SLICE;
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
  const long = values.flatMap(({ html, text }) => [html, text].filter(isLong));
  if (long.length === 0) return yield write(values);
  const [first = '', ...others] = write(values.map(withoutLongTexts)).split(JSON.stringify(MARK));
  yield first;
  for (const [at, text] of long.entries()) {
    yield '"';
    yield* piecesOfText(text);
    yield `"${others[at] ?? ''}`;
  }
}

function withoutLongTexts<T extends WithTexts>(value: T): T {
  const { html, text } = value;
  return { ...value, ...(isLong(html) && { html: MARK }), ...(isLong(text) && { text: MARK }) };
}

/** The JSON of a text, without quotes, is that of its parts, as long as no pair of surrogates is parted. */
function* piecesOfText(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const next = start + SLICE;
    const end = /[\ud800-\udbff]/.test(text.charAt(next - 1)) ? next + 1 : next;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
}
