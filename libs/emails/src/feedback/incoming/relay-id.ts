/**
 * Forms in which a relay names its id of a message in its 250, the first that matches. Each is read in a reply of up to
 * 500 characters, and its id ends at a blank.
 */
const FORMS = [
  /** Amazon SES: `250 Ok 0102018f…-000000` (SES developer guide, SMTP). */
  /\bOk ([\da-f]{16}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{6})\b/i,
  /** Postfix, and relays behind it (SendGrid): `250 2.0.0 Ok: queued as 4F2K…` (Postfix, smtpd). */
  /\bqueued as ([\w.@+=-]{4,200})/i,
  /** Exim: `250 OK id=1rAbCd-000123-4E` (Exim specification, chapter 48). */
  /\bid=([\w.-]{4,200})/i,
];

/** The relay's own id of a message in its reply; undefined if it names none. */
export function relayIdOf(reply: string): string | undefined {
  for (const form of FORMS) {
    const [, id] = form.exec(reply) ?? [];
    if (id !== undefined) return id;
  }
  return undefined;
}
