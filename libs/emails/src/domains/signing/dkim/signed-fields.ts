import { type HeaderField, headerFields } from './header-fields.js';

/**
 * The fields that a reader sees or that a mail program acts on (RFC 6376 section 5.4.1, RFC 8058 section 4). Each is named
 * once more than it occurs, so that an added one breaks the signature (RFC 6376 section 8.15).
 */
const USUAL = [
  'from',
  'sender',
  'reply-to',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'in-reply-to',
  'references',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
];
/** Signed where they occur: Gmail counts a `Feedback-ID` only under a signature. */
const IF_PRESENT = ['feedback-id'];

const NAMES = new Set([...USUAL, ...IF_PRESENT]);

/** The part of a signature about the header. */
export interface SignedFields {
  /** The names of `h=`, in the order of the signed data. */
  names: readonly string[];
  /** The fields in relaxed form, each with its line end. The bytes are characters of latin1. */
  data: string;
}

/**
 * The fields of a header for a signature. Of several of one name the last one comes first (RFC 6376 section 5.4.2).
 *
 * @param header its bytes as characters of latin1
 * @param replaced fields that the relay replaces, so that a signature must not cover them
 */
export function signedFields(header: string, replaced: readonly string[] = []): SignedFields {
  const found = headerFields(header, NAMES);
  const names: string[] = [];
  let data = '';
  const sign = (name: string) => {
    for (let at = found.length - 1; at >= 0; at--) {
      const field = found[at] as HeaderField;
      if (field.name !== name) continue;
      names.push(name);
      data += `${field.relaxed}\r\n`;
    }
  };
  for (const name of USUAL) {
    if (replaced.includes(name)) continue;
    sign(name);
    names.push(name);
  }
  for (const name of IF_PRESENT) sign(name);
  return { names, data };
}
