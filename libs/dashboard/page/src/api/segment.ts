/**
 * A text of the address bar as one segment of a path. It leads to no other path: slashes and control characters are
 * escaped, and so are single and double dots, which browsers resolve even if they are escaped once.
 */
export function segment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text);
}
