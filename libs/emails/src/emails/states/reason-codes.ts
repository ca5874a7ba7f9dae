/** A reason of the library's own. */
interface Reason {
  /** Its cause: the table in docs/contract.md, section 3.4. */
  meaning: string;
  /** Shown without a server's text. Absent: the code itself is shown, as for policies. */
  sentence?: string;
  /** Text between the sentence and the server's text. Absent: the server's text is shown alone. */
  before?: string;
}

/** Every reason that the library records by itself. A policy of the host has codes of its own. */
export const REASON_CODES = {
  expired: {
    meaning: 'The schedule of attempts came to its end',
    sentence: 'Gave up.',
    before: ' Last reply: ',
  },
  unknown_outcome_held: {
    meaning: 'An attempt ended without an answer, and the host holds such emails (`onUnknown`)',
    sentence: 'Held: it is unknown whether a copy was sent.',
    before: ' ',
  },
  previous_bounce: {
    meaning: 'The address is on the suppression list: an earlier email bounced',
    sentence: 'An earlier email to this address bounced.',
  },
  previous_complaint: {
    meaning: 'The address is on the suppression list: its owner reported an earlier email as spam',
    sentence: 'An earlier email to this address was reported as spam.',
  },
  manual: {
    meaning: 'The address was put on the suppression list by hand',
    sentence: 'The address was put on the suppression list by hand.',
  },
  not_allowed_here: {
    meaning: 'The recipient is outside `delivery.onlyTo`: this installation is not for real recipients',
  },
  redirect_failed: {
    meaning: 'The message was redirected (`delivery.redirectAllTo`), and that mailbox did not accept it',
    sentence: 'The mailbox that mail is redirected to did not accept it.',
    before: ' ',
  },
  topic_opted_out: { meaning: 'The topic rule refused the recipient' },
  domain_not_verified: {
    meaning: 'The domain of `from` was not a verified domain of the account when the email was due (`from: verified`)',
  },
  restricted_api_key: {
    meaning: 'The API key may not send from the domain: it is bound to another one, or its domain was deleted',
  },
  no_reply: {
    meaning: 'The next hop could not be reached, or did not answer',
    sentence: 'The next hop did not answer.',
  },
  worker_lost: {
    meaning: 'A worker died during an attempt',
    sentence: 'A worker died during an attempt.',
  },
  no_transport: {
    meaning: 'No transport may take the email, or the route chooser failed',
    sentence: 'No transport could be chosen.',
  },
  message_not_made: {
    meaning: 'The message could not be made: a content could not be read, or a policy or a message stage failed',
    sentence: 'The message could not be made.',
  },
  message_too_large: {
    meaning: 'The message is larger than the next hop (`SIZE`) or the server of the recipient accepts',
    sentence: 'The message is larger than the server accepts.',
  },
  smtputf8_missing: {
    meaning: 'An address needs `SMTPUTF8`, which the next hop does not offer',
    sentence: 'The next hop does not offer SMTPUTF8.',
  },
  address_too_long: {
    meaning: 'An address is longer than an SMTP command may be',
    sentence: 'An address does not fit into an SMTP command.',
  },
  tls_missing: {
    meaning: 'The message requires TLS, and the connection to the next hop has none',
    sentence: 'The connection to the next hop has no TLS, which the message requires.',
  },
  invalid_dsn: {
    meaning: 'The request for delivery reports (`dsn`) is invalid',
    sentence: 'The request for delivery reports is invalid.',
  },
  address_unknown: {
    meaning: 'The server of the recipient does not know the address',
    sentence: 'The address does not exist.',
  },
  address_disabled: {
    meaning: 'The mailbox exists, and is disabled or closed',
    sentence: 'The mailbox is disabled.',
  },
  address_invalid: {
    meaning: 'The address is not valid where it is to be delivered',
    sentence: 'The address is invalid.',
  },
  domain_not_found: {
    meaning: 'The DNS has no such domain, or says that it accepts no mail (null MX)',
    sentence: 'The domain of the address does not exist, or accepts no mail.',
  },
  mailbox_full: {
    meaning: 'The mailbox is full',
    sentence: 'The mailbox is full.',
  },
  content_rejected: {
    meaning: 'The server of the recipient refused the content, as spam for example',
    sentence: 'The content was refused.',
  },
  attachment_rejected: {
    meaning: 'The server of the recipient refused an attachment, or found a virus',
    sentence: 'An attachment was refused.',
  },
  policy_rejected: {
    meaning: 'A policy refused the sender, its server or its domain: reputation, authentication, rate, relaying',
    sentence: 'A policy of the recipient refused the sender.',
  },
  sender_limit: {
    meaning: 'A limit of the sender at the next hop was reached, such as a daily quota',
    sentence: 'A limit of the sender was reached.',
  },
  route_failed: {
    meaning: 'The server of the recipient could not be reached, or could not accept the message at that time',
    sentence: 'The server of the recipient could not accept the message.',
  },
  unrecognised_reply: {
    meaning: 'The words of the refusal are not recognised',
    sentence: 'It was refused, and the reply does not say why.',
  },
  no_address_in_report: {
    meaning: 'A report of a bounce names no recipient of the email',
    sentence: 'It bounced, and the report names no recipient.',
  },
  unconfirmed_bounce: {
    meaning: 'A report of a bounce that any recipient of the email could have written: nothing is suppressed',
    sentence: 'It bounced, by a report that any of its recipients could have written.',
  },
} as const satisfies Record<string, Reason>;

/** Form of every reason code, of policies and reports too. */
export const REASON_CODE = /^[a-z0-9_]{1,50}$/;

/** One of `REASON_CODES`. */
export type ReasonCode = keyof typeof REASON_CODES;

const REASONS: ReadonlyMap<string, Reason> = new Map(Object.entries(REASON_CODES));

/** True if a code is one of the library's own. */
export function isReasonCode(code: unknown): code is ReasonCode {
  return typeof code === 'string' && REASONS.has(code);
}

/**
 * The text of a reason, made where it is shown: the server's text, else the sentence of the code.
 *
 * @param words the stored text: a server's, a suppression list's, or the code of another policy
 * @param source of a reported event: its code, which may be any word, has no sentence
 */
export function reasonText(
  code: string | null | undefined,
  words: string | null | undefined,
  source: string | null = null,
): string | null {
  const { sentence, before } = (source === null && code && code !== words && REASONS.get(code)) || {};
  if (words === null || words === undefined) return sentence ?? code ?? null;
  return sentence !== undefined && before !== undefined ? `${sentence}${before}${words}` : words;
}
