/** Filenames that need no encoding in a header. */
const NOT_PLAIN = /[^\w. -]/g;
/** Line ends, path separators, and characters that reverse the rest of a name. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069/\\]/gu;
/** Characters that `encodeURIComponent` keeps, but RFC 8187 forbids. */
const LEFT = /['()*]/g;
const LONGEST = 200;

/** The value of `Content-Disposition` for a download (RFC 6266), safe for any name of a stranger. */
export function disposition(filename: string): string {
  const name = filename.slice(0, LONGEST).toWellFormed().replace(MISLEADING, '_');
  const encoded = encodeURIComponent(name).replace(LEFT, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${name.replace(NOT_PLAIN, '_')}"; filename*=UTF-8''${encoded}`;
}
