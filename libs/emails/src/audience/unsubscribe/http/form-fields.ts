import { ApiError } from '../../../shared/errors/api-error.js';

/** The fields of a form, each a name and a value. */
export type FormFields = readonly (readonly [name: string, value: string])[];

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
/** A quoted text or a token (RFC 2183 section 2). */
const NAME = /^content-disposition:\s*form-data\s*;(?:.*;)?\s*name=(?:"([^"]*)"|([^\s;"]+))/im;

/**
 * The fields of a small form: `application/x-www-form-urlencoded`, or `multipart/form-data` (RFC 7578), both of which RFC
 * 8058 section 3.1 allows. Without a type it is read as the first.
 *
 * @throws ApiError 400 when it cannot be parsed, 415 for another type
 */
export function formFields(body: Buffer, contentType = 'application/x-www-form-urlencoded'): FormFields {
  const [type = ''] = contentType.split(';', 1);
  switch (type.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return [...new URLSearchParams(body.toString())];
    case 'multipart/form-data':
      return partsOf(body.toString('latin1'), contentType);
    default:
      throw new ApiError(415, 'validation_error', 'The request body must be a form.');
  }
}

/** RFC 2046 section 5.1.1: parts lie between lines that begin with `--` and the boundary. */
function partsOf(text: string, contentType: string): FormFields {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw ApiError.malformed('The form has no boundary.');
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  if (!parts.at(-1)?.startsWith('--')) throw ApiError.malformed('The form has no end.');
  return parts.slice(0, -1).map((part) => {
    const start = part.indexOf('\r\n\r\n');
    const [, quotedName, token] = NAME.exec(part.slice(0, Math.max(start, 0))) ?? [];
    const name = quotedName ?? token;
    if (name === undefined) throw ApiError.malformed('A part of the form has no name.');
    return [utf8(name), utf8(part.slice(start + 4))];
  });
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}
