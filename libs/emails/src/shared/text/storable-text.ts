const NUL = /\0/g;

/**
 * Text from outside in a form that PostgreSQL takes, as `text` and within `jsonb`: well formed, without NUL, at most `max`
 * characters (code points, so that no surrogate pair is cut in half). What has no such form becomes U+FFFD.
 */
export function storableText(text: string, max: number): string {
  // A character is at most two UTF-16 units: what lies behind need not be looked at.
  const start = text
    .slice(0, 2 * max)
    .toWellFormed()
    .replace(NUL, '\ufffd');
  return start.length <= max ? start : Array.from(start).slice(0, max).join('');
}
