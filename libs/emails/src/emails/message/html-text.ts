import { compile } from 'html-to-text';
import { LIMITED_NESTING } from './html-nesting.js';

/** Beginning of html that is read. */
export interface HtmlLimits {
  /** Characters. */
  length: number;
  tags: number;
}

/**
 * A longer text part would be of no use to a reader. The converter's time grows with the square of unmatched tags.
 */
export const LIMITS: HtmlLimits = { length: 500_000, tags: 20_000 };

/** Limit of lines that are read: in lists and quotes the converter indents each line of a `<pre>` again. */
const LINES = 20_000;

const convert = compile({
  wordwrap: 78,
  ...LIMITED_NESTING,
  limits: { maxDepth: 60, maxChildNodes: 10_000, maxBaseElements: 1_000 },
});

/** Control characters except tabs and line breaks: the converter makes them of odd numbers of lists. */
const CONTROLS = /[^\P{Cc}\t\r\n]/gu;

/**
 * The text part for html that came without one. Only the beginning of very large html is read, so that a conversion
 * takes at most about a second. The text is at most twice as long as the html: nested quotes would multiply it. It is
 * empty for html that the converter fails on, such as an element named `constructor`.
 */
export function htmlToText(html: string, { length, tags } = LIMITS): string {
  const beginning = html.slice(0, length);
  const end = Math.min(endOf(beginning, '<', tags), endOf(beginning, '\n', LINES));
  const text = converted(beginning.slice(0, end));
  const longest = 2 * html.length;
  return text.length <= longest ? text : text.slice(0, text.lastIndexOf('\n', longest) + 1);
}

function converted(html: string): string {
  try {
    return convert(html).replace(CONTROLS, '');
  } catch {
    return '';
  }
}

/** True if the html has more tags than this, counting opening, closing and broken ones. */
export function hasMoreTags(html: string, tags: number): boolean {
  return endOf(html, '<', tags) < html.length;
}

/** Index of this character after this number of them; the length if there is none. */
function endOf(html: string, character: string, most: number): number {
  let at = -1;
  for (let found = 0; found <= most; found++) {
    at = html.indexOf(character, at + 1);
    if (at < 0) return html.length;
  }
  return at;
}
