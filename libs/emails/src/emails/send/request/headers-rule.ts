import type { Rule } from '../../../shared/validation/rule.js';
import { wrongHeaderText } from './header-text.js';

const MAX_HEADERS = 100;
const MAX_OCTETS = 998;
/** RFC 5322 section 3.6.8: printable US-ASCII without colon and space; with its colon it fits a line (section 2.1.1). */
const FIELD_NAME = /^[!-9;-~]{1,997}$/;
/** A name that a message repeats: it is short, and no address. */
const SHOWN = /^[^@]{1,76}$/;
const OWNED =
  /^(bcc|cc|to|from|sender|reply-to|subject|date|message-id|return-path|received|dkim-signature|arc-.*|authentication-results|mime-version|content-.*|resent-.*)$/i;

/** Header fields with the texts of values that are finite numbers; anything else as it is. */
export function numbersAsTexts(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return headers;
  if (!Object.values(headers).some(Number.isFinite)) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Number.isFinite(value) ? String(value) : value]),
  );
}

/** Additional header fields that do not touch what the system owns (contract, section 2.1). */
export const additionalHeaders: Rule<Record<string, string>> = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'must be an object of strings and numbers';
  const entries = Object.entries(value);
  if (entries.length > MAX_HEADERS) return `takes up to ${MAX_HEADERS} fields`;
  const seen = new Set<string>();
  for (const [name, text] of entries) {
    const wrong = wrongHeader(name, text);
    if (wrong) return wrong;
    if (seen.has(name.toLowerCase())) return 'must not name a field twice';
    seen.add(name.toLowerCase());
  }
  return undefined;
};

function wrongHeader(name: string, value: unknown): string | undefined {
  if (!FIELD_NAME.test(name)) return 'must have header field names of printable ASCII without colon and space';
  const shown = SHOWN.test(name) ? name : '…';
  if (OWNED.test(name)) return `must not set \`${shown}\`: the system owns it`;
  const wrong = typeof value === 'string' ? wrongHeaderText(value) : 'must be a string or a finite number';
  if (wrong) return `.${shown} ${wrong}`;
  return Buffer.byteLength(String(value)) > MAX_OCTETS ? `.${shown} takes up to ${MAX_OCTETS} octets` : undefined;
}
