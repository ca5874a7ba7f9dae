/** Characters that are kept of a reason in words: of a server's reply, a policy, a hold or an alarm. */
export const MAX_REASON = 500;

const NUL = /\0/g;

/**
 * Text from outside in a form that PostgreSQL can store as `text` and in `jsonb`: well formed, without NUL, at most
 * `max` characters (code points, so that no surrogate pair is cut in half). Characters without such a form become
 * U+FFFD.
 */
export function storableText(text: string, max: number): string {
  // A character is at most two UTF-16 units: the rest need not be read.
  const start = text
    .slice(0, 2 * max)
    .toWellFormed()
    .replace(NUL, '\ufffd');
  return start.length <= max ? start : Array.from(start).slice(0, max).join('');
}
