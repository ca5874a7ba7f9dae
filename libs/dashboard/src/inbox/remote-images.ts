/** Blanks are limited, because many of them would take long. A tag does not extend over the next one. */
const REMOTE_IMAGE =
  /<(?:img|source|image|input|video|body|table|td)\b[^<>]{0,2000}?\s(?:src|srcset|background|poster|href)\s{0,9}=\s{0,9}["']?\s{0,9}(?:https?:)?\/\//gi;

/** Approximate number of remote images in html. */
export function countRemoteImages(html: string): number {
  let count = 0;
  for (const _ of html.matchAll(REMOTE_IMAGE)) count += 1;
  return count;
}
