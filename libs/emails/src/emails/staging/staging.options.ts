/** The staging switch: the real recipients of a copy of production must get no mail. */
export interface StagingOptions {
  /**
   * Addresses and domains that get mail, such as `me@example.net` and `example.org`; its subdomains do not belong to a
   * domain. Any other recipient gets `failed` with the reason code `not_allowed_here`. At least one. Default: everybody
   * gets mail.
   */
  onlyTo?: readonly string[];
  /**
   * A mailbox, such as `me@example.net`, that gets each message once, in place of its recipients, after `onlyTo` and all
   * policies have decided about these. `X-Original-To` and `X-Original-Bcc` say who they were. Default: messages go to
   * their recipients.
   */
  redirectAllTo?: string;
}
