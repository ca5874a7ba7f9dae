/** What a filename may be in a header as it is. */
const NOT_PLAIN = /[^\w. -]/g;
/** Ends of lines, folders, and what writes the rest of a name from right to left. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069/\\]/gu;
/** What `encodeURIComponent` leaves, and RFC 8187 does not. */
const LEFT = /['()*]/g;
const LONGEST = 200;

/** The value of `Content-Disposition` for a file to be saved (RFC 6266), whatever name a stranger gave it. */
export function disposition(filename: string): string {
  const name = filename.slice(0, LONGEST).toWellFormed().replace(MISLEADING, '_');
  const encoded = encodeURIComponent(name).replace(LEFT, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${name.replace(NOT_PLAIN, '_')}"; filename*=UTF-8''${encoded}`;
}
