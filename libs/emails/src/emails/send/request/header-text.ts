import { hasControl, hasEncodedWord, isLongerThan } from '../../../shared/text/text-rules.js';

/**
 * What is wrong with a subject or the value of a header field, written to follow its name; undefined when nothing is.
 * What passes arrives as it was given (RFC 5322 section 2.2, RFC 2047).
 */
export function wrongHeaderText(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (hasControl(value)) return 'must be one line without control characters';
  if (hasEncodedWord(value)) return 'must not contain encoded words (`=?…?=`): write the text itself';
  return undefined;
}

const MAX_SUBJECT = 998;

/** The same for a subject, which has up to 998 characters. */
export function wrongSubject(value: unknown): string | undefined {
  if (typeof value === 'string' && isLongerThan(value, MAX_SUBJECT)) return `takes up to ${MAX_SUBJECT} characters`;
  return wrongHeaderText(value);
}
