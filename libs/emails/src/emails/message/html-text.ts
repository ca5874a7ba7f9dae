import { compile } from 'html-to-text';

/** Characters of the html that are read. */
export const MAX_LENGTH = 2_000_000;
/** Tags that are read: the converter takes time by the square of them when they do not match. */
const MAX_TAGS = 20_000;

const convert = compile({
  wordwrap: 78,
  limits: { maxInputLength: MAX_LENGTH, maxDepth: 60, maxChildNodes: 10_000, maxBaseElements: 1_000 },
});

/**
 * The text part that goes with html that came without one. Of html that is larger than any reader would show only the
 * beginning is read, so that none takes longer than about a second.
 */
export function htmlToText(html: string): string {
  return convert(html.slice(0, endOfTags(html)));
}

/** Where the first tag begins that is not read any more. */
function endOfTags(html: string): number {
  let at = -1;
  for (let tags = 0; tags <= MAX_TAGS; tags++) {
    at = html.indexOf('<', at + 1);
    if (at < 0) return MAX_LENGTH;
  }
  return at;
}
