import { MAX_ADDRESS } from './limits-of-reports.js';

/** Characters of a field that are read. Encoded letters are longer. */
const MAX_FIELD = 1_000;

/**
 * The address in a field of a report, such as `rfc822; joe@example.com` (RFC 3464 section 2.3.1); undefined for another
 * name, such as `unknown; nair_s`.
 */
export function addressOf(field: string | undefined): string | undefined {
  const [, type = '', given = ''] = /^(?:([\w-]{1,20})[ \t]*;)?(.*)$/s.exec(field?.slice(0, MAX_FIELD) ?? '') ?? [];
  const written = /<([^<>]*)>/.exec(given)?.[1] ?? withoutComment(given);
  const bare = written.trim().replace(/^(?:mailto|smtp):/i, '');
  const address = type.toLowerCase() === 'utf-8' ? decodeUtf8(bare) : decodeXtext(bare);
  return address.length <= MAX_ADDRESS && /^[^\s@].*@[^\s@]+$/s.test(address) && !/\p{Cc}/u.test(address)
    ? address
    : undefined;
}

function withoutComment(text: string): string {
  const at = text.indexOf(' (', 1);
  return at < 0 ? text : text.slice(0, at);
}

/** RFC 6533 section 3: `\x{HEX}`. */
function decodeUtf8(text: string): string {
  return text.replace(/\\x\{([0-9A-Fa-f]{2,6})\}/g, (whole, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x10ffff ? whole : String.fromCodePoint(point).toWellFormed();
  });
}

/** RFC 3461 section 4: of printable characters only `+` and `=` are encoded, and some programs leave them so. */
function decodeXtext(text: string): string {
  return text.replace(/\+(2B|3D)/g, (_, hex: string) => (hex === '2B' ? '+' : '='));
}
