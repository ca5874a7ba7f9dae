/**
 * The points of the dialogue at which a server may refuse (RFC 5321 section 3): the connection, HELO or EHLO, MAIL,
 * RCPT, DATA, and the whole message after its final dot.
 */
export const SMTP_STAGES = ['connect', 'helo', 'mail', 'rcpt', 'data', 'dot'] as const;

/** One of `SMTP_STAGES`. */
export type SmtpStage = (typeof SMTP_STAGES)[number];
