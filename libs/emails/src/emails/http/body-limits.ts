import type { BodyLimits } from '../../shared/http/body-bytes.js';
import type { EmailsOptions } from '../emails.options.js';
import { EMAIL_LIMITS } from '../limits.js';

const { sentBody, keptBody } = EMAIL_LIMITS;
/** Request bytes per byte of a message: html, text and base64 lines are longer in JSON. */
const KEPT_PER_BYTE = 1.45;

/** Size limits of a body of `POST /emails`. */
export function bodyLimits({ bodyLimit = sentBody.max, messageLimit = 0 }: EmailsOptions['http'] = {}): BodyLimits {
  return {
    wire: bodyLimit,
    kept: Math.min(bodyLimit, Math.max(keptBody.max, Math.ceil(messageLimit * KEPT_PER_BYTE))),
  };
}
