/** Options of `feedback`. */
export interface FeedbackOptions {
  /**
   * Suppresses an address for 14 days once three emails to it in a row were given up within 14 days, because its server kept
   * on deferring them or its mailbox is full. A delivery in between starts the count again. Default: true.
   */
  softBounces?: boolean;

  /**
   * Secrets of the installation, each of 32 characters or more, the same in every process. Keys derived from them
   * encrypt the key by which entries of erased people are found again: the first encrypts, all decrypt. Default: the
   * core's secrets; without any, an erasure removes the entry.
   */
  secretKeys?: readonly string[];
}
