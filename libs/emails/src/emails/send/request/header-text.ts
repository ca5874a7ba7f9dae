import { LIMITS } from '../../../shared/limits.js';
import { hasControl, hasEncodedWord, isLongerThan } from '../../../shared/text/text-rules.js';

/**
 * Problem of a subject or of a header field's value, written to follow its name; undefined for a valid one. A valid
 * text arrives unchanged (RFC 5322 section 2.2, RFC 2047).
 */
export function wrongHeaderText(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (hasControl(value)) return 'must be one line without control characters';
  if (hasEncodedWord(value)) return 'must not contain encoded words (`=?…?=`): write the text itself';
  return undefined;
}

/** The same for a subject, which has up to 998 characters. */
export function wrongSubject(value: unknown): string | undefined {
  if (typeof value === 'string' && isLongerThan(value, LIMITS.subject.max))
    return `takes up to ${LIMITS.subject.max} characters`;
  return wrongHeaderText(value);
}
