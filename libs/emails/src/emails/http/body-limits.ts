import type { BodyLimits } from '../../shared/http/body-bytes.js';
import type { EmailsOptions } from '../emails.options.js';

/** A file of 25 MB in numbers, of up to five bytes each with the comma and a blank, and a megabyte around it. */
const WIRE = 126_000_000;
/** What a message of 40 MB takes as it is kept. */
const KEPT = 58_000_000;
/** Bytes for each of a message: its html and text, and its base64 in lines, are longer in JSON. */
const KEPT_PER_BYTE = 1.45;

/** What a body of `POST /emails` may have. */
export function bodyLimits({ bodyLimit = WIRE, messageLimit = 0 }: EmailsOptions['http'] = {}): BodyLimits {
  return { wire: bodyLimit, kept: Math.min(bodyLimit, Math.max(KEPT, Math.ceil(messageLimit * KEPT_PER_BYTE))) };
}
