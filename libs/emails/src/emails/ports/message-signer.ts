/** Knows which messages will be signed: the owner of DKIM keys. */
export interface MessageSigner {
  /**
   * True if messages from this domain leave with a DKIM signature (RFC 6376) that covers `List-Unsubscribe` and
   * `List-Unsubscribe-Post`. Only then do they offer one-click unsubscribe (RFC 8058 section 4). Called for every email
   * with an unsubscribe link, so the answer should come from memory. A rejection, or no answer within 3 seconds, defers
   * the email.
   *
   * @param fromDomain domain of the address in `from`, in lower-case A-labels
   */
  signs(accountId: string, fromDomain: string): boolean | Promise<boolean>;
}
