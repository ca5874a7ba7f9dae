import { detectMimeType } from 'nodemailer/lib/mime-funcs';
import { isOneCleanLine } from '../../../shared/text/text-rules.js';

/*
 * The rules for the three labels of an attachment. Each of them becomes part of a header of the message.
 */

/** What an attachment is when nothing better is known (RFC 2046 section 4.5.1). */
export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/**
 * A `type/subtype` (RFC 6838 section 4.2) with at most the parameters `charset` and `name`, each once; up to 255
 * characters. Not `multipart/*`: its parts would be read as parts of the message.
 */
export function isMediaType(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 255 || !isOneCleanLine(value)) return false;
  const match = MEDIA_TYPE.exec(value);
  if (match === null || match[1]?.toLowerCase() === 'multipart') return false;
  const names = new Set<string>();
  for (const [, name = '', text = ''] of (match[2] ?? '').matchAll(PARAMETER)) {
    const isCharset = name.toLowerCase() === 'charset';
    if (isCharset ? !CHARSET.test(text) : ENCODED_WORD.test(text)) return false;
    if (names.has(name.toLowerCase())) return false;
    names.add(name.toLowerCase());
  }
  return true;
}

/** The media type that goes with a filename's extension, or `application/octet-stream`. */
export function mediaTypeOf(filename: string | null | undefined): string {
  const mediaType = detectMimeType(filename ?? '');
  // A `message/*` part must not be in base64 (RFC 2046 section 5.2.1), which alone keeps its bytes as they are.
  return isMediaType(mediaType) && !mediaType.startsWith('message/') ? mediaType : UNKNOWN_MEDIA_TYPE;
}

/**
 * A name of 1 to 255 characters for a file that a recipient may save: not a path, nothing that hides or reorders part
 * of it, no space at its ends.
 */
export function isFilename(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= 2 * 255 &&
    Array.from(value).length <= 255 &&
    value === value.trim() &&
    value !== '.' &&
    value !== '..' &&
    !SEPARATOR.test(value) &&
    isOneCleanLine(value) &&
    !ENCODED_WORD.test(value)
  );
}

/** What html refers to as `cid:…`: 1 to 128 characters that need no quoting anywhere. */
export function isContentId(value: unknown): value is string {
  return typeof value === 'string' && CONTENT_ID.test(value);
}

const MEDIA_TYPE =
  /^([a-z\d][\w!#$&^.+-]{0,126})\/[a-z\d][\w!#$&^.+-]{0,126}((?: *; *(?:charset|name)=(?:[\w!#$%&'*+.^`{|}~-]+|"(?:[^"\\]|\\["\\])*"))*)$/i;
const PARAMETER = /; *(charset|name)=([^\s";]+|"(?:[^"\\]|\\["\\])*")/gi;
const CHARSET = /^("?)[\w!#$%&'+^`{}~.:-]+\1$/;
const CONTENT_ID = /^[\w.@+-]{1,128}$/;
const SEPARATOR = /[/\\]/;
/** RFC 2047 section 2. Readers decode it in names too, so it could smuggle in what is refused above. */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;
