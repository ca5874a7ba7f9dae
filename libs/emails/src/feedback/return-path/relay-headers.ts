/** A relay that names an email in its reports by a field of the message. */
interface RelayField {
  name: string;
  /** @param emailId a UUID */
  value: (emailId: string) => string;
  /** True if a second field of this name would be ignored, or would replace the caller's. */
  isSingle: boolean;
}

/** A relay with a field of its own. */
export type RelayName = 'ses' | 'postmark' | 'mailgun' | 'sendgrid';

/**
 * The fields by which relays repeat the id of an email in their events, as each documents it (read 2026-11-26).
 */
export const RELAY_FIELDS: Readonly<Record<RelayName, RelayField>> = {
  /** `mail.tags` of SES events; values have letters, digits, `_` and `-` (SES API, MessageTag). */
  ses: { name: 'X-SES-MESSAGE-TAGS', value: (emailId) => `email_id=${emailId}`, isSingle: true },
  /** `Metadata` of Postmark's webhooks; removed from the message (Postmark, custom metadata FAQ). */
  postmark: { name: 'X-PM-Metadata-email_id', value: (emailId) => emailId, isSingle: false },
  /** `user-variables` of Mailgun's events; several fields are combined (Mailgun, sending messages by SMTP). */
  mailgun: { name: 'X-Mailgun-Variables', value: (emailId) => JSON.stringify({ email_id: emailId }), isSingle: false },
  /** A key of SendGrid's events; only the first field counts, and is removed (SendGrid, X-SMTPAPI header). */
  sendgrid: {
    name: 'X-SMTPAPI',
    value: (emailId) => JSON.stringify({ unique_args: { email_id: emailId } }),
    isSingle: true,
  },
};

export function isRelayName(name: unknown): name is RelayName {
  return typeof name === 'string' && Object.hasOwn(RELAY_FIELDS, name);
}
