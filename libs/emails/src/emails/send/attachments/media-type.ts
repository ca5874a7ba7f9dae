import { detectMimeType, parseHeaderValue } from 'nodemailer/lib/mime-funcs';
import { isOneCleanLine } from '../../../shared/text/text-rules.js';
import { passes, ruleDecorator } from '../../../shared/validation/rule.js';

/*
 * The rules for the type and the name of an attachment. Both become part of headers of the message.
 */

/** Type of an attachment when none is known (RFC 2046 section 4.5.1). */
export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/**
 * A `type/subtype` (RFC 6838 section 4.2) with any parameters (RFC 2045 section 5.1), each once; up to 255 characters.
 * Not `multipart/*`: its parts would be read as parts of the message.
 */
export function isMediaType(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !isOneCleanLine(value)) return false;
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

/**
 * A media type whose parameters are plain texts, decoded from the form of RFC 2231 (`name*=utf-8''%C3%A4.csv`,
 * `name*0="a"; name*1="b"`), in which the message has them again. Other values stay unchanged.
 */
export function withPlainParameters(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !value.includes('*')) return value;
  if (!EXTENDED.test(value) || ENCODED_WORD.test(value)) return value;
  const names = Array.from(value.matchAll(PARAMETER), ([, name = '']) => name.toLowerCase());
  if (!names.some((name) => name.includes('*'))) return value;
  const isTwofold = names.some((name) => names.includes(name.replace(/\*.*/, '')) && name.includes('*'));
  if (isTwofold || new Set(names).size < names.length) return value;
  const { value: mediaType, params } = parseHeaderValue(value);
  try {
    return [mediaType, ...Object.entries(params).map(([name, text]) => `${name}=${quoted(decoded(text))}`)].join('; ');
  } catch {
    // Invalid bytes for the charset, or an unknown charset.
    return value;
  }
}

/** The text of an encoded word, the parser's result for RFC 2231. */
function decoded(text: string): string {
  const [, charset, bytes = ''] = /^=\?([^?]*)\?Q\?(.*)\?=$/.exec(text) ?? [];
  if (charset === undefined) return text;
  const octets = bytes.replaceAll('_', ' ').replace(/=(.{0,2})/g, (_, hex: string) => String.fromCharCode(octet(hex)));
  return new TextDecoder(charset, { fatal: true }).decode(Buffer.from(octets, 'latin1'));
}

function octet(hex: string): number {
  if (!/^[\da-f]{2}$/i.test(hex)) throw new RangeError('An octet has two hexadecimal digits.');
  return Number.parseInt(hex, 16);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The media type that goes with a filename's extension, or `application/octet-stream`. */
export function mediaTypeOf(filename: string | null | undefined): string {
  const mediaType = detectMimeType(filename ?? '');
  // A `message/*` part must not be in base64 (RFC 2046 section 5.2.1), which alone preserves its bytes.
  return isMediaType(mediaType) && !mediaType.startsWith('message/') ? mediaType : UNKNOWN_MEDIA_TYPE;
}

/**
 * A name of 1 to 255 characters for a file that a recipient may save: not a path, without characters that hide or
 * reorder part of it, without a space at its ends.
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

/** A media type with optional parameters, see `isMediaType`. */
export const IsMediaType = () =>
  ruleDecorator(
    'isMediaType',
    passes(isMediaType, 'must be `type/subtype` with optional parameters, such as `charset=utf-8`, not `multipart/*`'),
    { type: 'string' },
  );

/** A name for a file, see `isFilename`. */
export const IsFilename = () =>
  ruleDecorator(
    'isFilename',
    passes(isFilename, 'must have 1 to 255 characters without `/`, `\\` and control characters'),
    { type: 'string', maxLength: 255 },
  );

const MAX_LENGTH = 255;
/** RFC 2045 section 5.1. */
const VALUE = /[\w!#$%&'*+.^`{|}~-]+|"(?:[^"\\]|\\.)*"/.source;
const MEDIA_TYPE = mediaType('');
/** With names in the form of RFC 2231. */
const EXTENDED = mediaType(/(?:\*\d{1,2})?\*?/.source);
const PARAMETER = new RegExp(`; *([^\\s=";]+)=(${VALUE})`, 'g');
const CHARSET = /^("?)[\w!#$%&'+^`{}~.:-]+\1$/;
const SEPARATOR = /[/\\]/;
/** RFC 2047 section 2. Readers decode it in names too, so it could smuggle in the characters refused above. */
const ENCODED_WORD = /=\?[^?]*\?[bq]\?/i;

/** @param mark allowed suffix of a parameter's name */
function mediaType(mark: string): RegExp {
  const token = /[a-z\d][\w!#$&^.+-]{0,126}/.source;
  const name = /[\w!#$&+.^`{|}~-]+/.source;
  return new RegExp(`^(${token})/${token}((?: *; *${name}${mark}=(?:${VALUE}))*)$`, 'i');
}
