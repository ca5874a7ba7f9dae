/** Of what kind a bounce is, in the words that Resend has from Amazon SES. */
export interface BounceKind {
  /** `Permanent`: the address is no good, for anybody. `Transient`: another message or another time may fare better. */
  type: 'Permanent' | 'Transient' | 'Undetermined';
  subType:
    | 'Undetermined'
    | 'General'
    | 'NoEmail'
    | 'MailboxFull'
    | 'MessageTooLarge'
    | 'ContentRejected'
    | 'AttachmentRejected';
}

export const UNDETERMINED: BounceKind = { type: 'Undetermined', subType: 'Undetermined' };
