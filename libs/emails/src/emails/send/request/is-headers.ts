import { type Rule, ruleDecorator } from '../../../shared/validation/rule.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { wrongHeaderText } from './header-text.js';
import { namesEmail } from './relay-fields.js';

/**
 * RFC 5322 section 3.6.8: printable US-ASCII without colon and space; it fits a line together with its colon (section
 * 2.1.1).
 */
const FIELD_NAME = /^[!-9;-~]{1,997}$/;
/** A short name without an address, which an error message may repeat. */
const SHOWN = /^[^@]{1,76}$/;
const OWNED =
  /^(bcc|cc|to|from|sender|reply-to|subject|date|message-id|return-path|received|dkim-signature|x-email-ref|x-original-to|x-original-bcc|arc-.*|authentication-results|mime-version|content-.*|resent-.*)$/i;

/** Header fields with finite numbers as texts; other values stay unchanged. */
export function numbersAsTexts(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return headers;
  if (!Object.values(headers).some(Number.isFinite)) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Number.isFinite(value) ? String(value) : value]),
  );
}

const additionalHeaders: Rule = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of strings and numbers';
  const entries = Object.entries(value);
  if (entries.length > EMAIL_LIMITS.headers.max) return `takes up to ${EMAIL_LIMITS.headers.max} fields`;
  const seen = new Set<string>();
  for (const [name, text] of entries) {
    const wrong = wrongHeader(name, text);
    if (wrong) return wrong;
    if (seen.has(name.toLowerCase())) return 'must not name a field twice';
    seen.add(name.toLowerCase());
  }
  return undefined;
};

/** Additional header fields, except those that the system owns (contract, section 2.1). */
export const IsHeaders = () =>
  ruleDecorator('isHeaders', additionalHeaders, {
    type: 'object',
    additionalProperties: { type: ['string', 'number'], maxLength: EMAIL_LIMITS.headerValue.max },
    maxProperties: EMAIL_LIMITS.headers.max,
  });

function wrongHeader(name: string, value: unknown): string | undefined {
  if (!FIELD_NAME.test(name)) return 'must have header field names of printable ASCII without colon and space';
  const shown = SHOWN.test(name) ? name : '…';
  if (OWNED.test(name)) return `must not set \`${shown}\`: the system owns it`;
  const wrong = typeof value === 'string' ? wrongHeaderText(value) : 'must be a string or a finite number';
  if (wrong) return `.${shown} ${wrong}`;
  if (namesEmail(name, String(value))) return `.${shown} must not have \`email_id\`: the system owns it`;
  return Buffer.byteLength(String(value)) > EMAIL_LIMITS.headerValue.max
    ? `.${shown} takes up to ${EMAIL_LIMITS.headerValue.max} octets`
    : undefined;
}
