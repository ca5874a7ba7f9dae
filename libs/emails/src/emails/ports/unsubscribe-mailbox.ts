/** The only recipient of a message. */
export interface MessageRecipient {
  emailId: string;
  /** Index among all recipients of the email, in the order of `StagedMessage.recipients`. */
  recipient: number;
}

/** Receives mails by which recipients unsubscribe, and reports them to `EmailsService.unsubscribe`. */
export interface UnsubscribeMailbox {
  /**
   * The address for such a mail: it alone says who unsubscribes, whatever the mail says. The same recipient always has the
   * same address. Undefined: no mail would be received.
   */
  addressOf(recipient: MessageRecipient): string | undefined;
}
