const ENHANCED = /^[245]\.\d{1,3}\.\d{1,3}$/;
const CONTAINED = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;

/** A server's words as a relay passes them on. */
export interface PassedReply {
  /** Basic code, RFC 5321 section 4.2. */
  code?: string | undefined;
  /** Enhanced code, RFC 3463. */
  status?: string | undefined;
  text?: string | undefined;
}

/**
 * A reply in the form of SMTP, `550 5.1.1 text`: codes that a relay gives apart stand where a server writes them. The type of
 * a `Diagnostic-Code` (`smtp; `, RFC 3464 section 2.3.6) is left out.
 */
export function replyText({ code, status, text = '' }: PassedReply): string | undefined {
  const words = text.replace(/^\s*(?:smtp|x-[\w-]+)\s*;\s*/i, '').trim();
  const basic = /^[245]\d\d(?=[ -]|$)/.exec(words)?.[0];
  const rest = basic === undefined ? words : words.slice(basic.length).replace(/^[ -]\s*/, '');
  const first = basic ?? (/^[245]\d\d$/.test(code ?? '') ? code : undefined);
  const second = status !== undefined && ENHANCED.test(status) && !CONTAINED.test(rest) ? status : undefined;
  return [first, second, rest].filter(Boolean).join(' ') || undefined;
}
