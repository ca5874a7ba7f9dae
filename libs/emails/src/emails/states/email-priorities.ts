/** The lanes of delivery. Emails in `now` do not wait behind those in `bulk`. */
export const EMAIL_PRIORITIES = ['now', 'bulk'] as const;

/** The lane of an email. */
export type EmailPriority = (typeof EMAIL_PRIORITIES)[number];

/** A number for each lane. */
export type ByLane = Readonly<Record<EmailPriority, number>>;
