/** `Permanent`: the address is invalid for every sender. `Transient`: another message or another time may succeed. */
export const BOUNCE_TYPES = ['Permanent', 'Transient', 'Undetermined'] as const;
export const BOUNCE_SUB_TYPES = [
  'Undetermined',
  'General',
  'NoEmail',
  'MailboxFull',
  'MessageTooLarge',
  'ContentRejected',
  'AttachmentRejected',
] as const;

/** Kind of a bounce, in the terms that Resend adopted from Amazon SES. */
export interface BounceKind {
  type: (typeof BOUNCE_TYPES)[number];
  subType: (typeof BOUNCE_SUB_TYPES)[number];
  /** The operator of the server that refused the address, such as `gmail`. Absent: none is known. */
  operator?: string;
}

export const UNDETERMINED: BounceKind = { type: 'Undetermined', subType: 'Undetermined' };
