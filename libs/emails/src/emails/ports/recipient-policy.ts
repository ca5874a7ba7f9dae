/** May this recipient get this email? `reason` is shown to the sender, in the recipient's `suppressed` event. */
export type RecipientDecision = { allowed: true } | { allowed: false; reason: string };

/** Recipients of one email who are about to be sent to. */
export interface RecipientQuestion {
  accountId: string;
  emailId: string;
  /** Null: the email has no topic. */
  topicId: string | null;
  /** Envelope addresses, domain in A-labels; at least one, each once. */
  addresses: readonly string[];
}

/** Who may get mail: a list of suppressed addresses, an allow list for staging, a rule of the host's own. */
export interface RecipientPolicy {
  /**
   * Decides for each address, in the order given: one decision for each, or the email is put off. Asked at the moment of
   * delivery, when a connection waits for the message, so that what changed while an email waited counts. An answer holds
   * for a second from the question on; after that it is asked again, and an email whose question has no answer in time,
   * or a rejection, is put off. Asked of many emails at the same time.
   */
  decide(question: RecipientQuestion): Promise<readonly RecipientDecision[]>;
}
