import type { LineData } from './line-data.js';

export type AttachmentEncoding = '7bit' | '8bit' | 'base64';

const UNENCODED = /^message\/(?!global)/i;
/** RFC 2046 sections 5.2.2 and 5.2.3, RFC 3464 section 2.1, RFC 5965 section 2, RFC 8098 section 3.1. */
const SEVEN_BIT =
  /^message\/(?:partial|external-body|delivery-status|feedback-report|disposition-notification)(?![^; ])/i;

/**
 * Whether parts of this type must have no encoding: they are messages themselves, or read by programs that do not
 * decode (RFC 2045 section 6.4). The types of RFC 6532 and RFC 6533 may have one.
 */
export function mustStandAsIs(contentType: string): boolean {
  return UNENCODED.test(contentType);
}

/** The encoding of a content within a message. `base64`: it cannot keep its type. */
export function encodingOf(contentType: string, data: LineData): AttachmentEncoding {
  if (data === 'binary' || (data === '8bit' && SEVEN_BIT.test(contentType))) return 'base64';
  return data;
}
