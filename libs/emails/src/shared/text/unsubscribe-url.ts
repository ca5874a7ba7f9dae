/** Names of the placeholder for the recipient's unsubscribe link: that of Resend, and its short form. */
export const UNSUBSCRIBE_URL_KEYS = ['RESEND_UNSUBSCRIBE_URL', 'UNSUBSCRIBE_URL'] as const;

/** Keys that templates must not declare: those of Resend, whose values come from the contact and the link. */
export const RESERVED_KEYS: readonly string[] = [
  'FIRST_NAME',
  'LAST_NAME',
  'EMAIL',
  ...UNSUBSCRIBE_URL_KEYS,
  'contact',
  'this',
];

/** Spaces as in templates. */
const PLACEHOLDER = /\{\{\{ *(?:RESEND_)?UNSUBSCRIBE_URL *\}\}\}/g;
/** In every placeholder: most texts are not searched any further. */
const MARK = 'UNSUBSCRIBE_URL';

/** Number of placeholders for the unsubscribe link in a text. */
export function unsubscribeUrlsIn(text: string | null): number {
  return text?.includes(MARK) ? (text.match(PLACEHOLDER)?.length ?? 0) : 0;
}

/**
 * Puts a link in place of the placeholders.
 *
 * @param max placeholders that are replaced: each makes the text longer
 */
export function withUnsubscribeUrl<Text extends string | null>(text: Text, url: string, max: number): Text | string {
  if (!text?.includes(MARK)) return text;
  let left = max;
  return text.replace(PLACEHOLDER, (placeholder) => (left-- > 0 ? url : placeholder));
}
