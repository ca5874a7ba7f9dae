/**
 * May this recipient get this email? `code` says why not, of 1 to 50 of `a-z`, `0-9` and `_`: it is the `reason` of the
 * recipient's event, and of webhooks. `reason` says it in words.
 */
export type RecipientDecision = { allowed: true } | RecipientRefusal;

/** Why a recipient may not get an email. */
export interface RecipientRefusal {
  allowed: false;
  code: string;
  /** In words, up to 500 characters. Shown in the `suppressed` event of a suppression list. Default: the code. */
  reason?: string | undefined;
}

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
   * Whether this is the suppression list: it is asked first, and its refusals are recorded as `suppressed`. Those of all
   * others are recorded as `failed`. One policy at most can be. Default: false.
   */
  readonly isSuppressionList?: boolean | undefined;

  /**
   * Decides for each address, in the order given: one decision for each, or the email is put off. Asked at the moment of
   * delivery, when a connection waits for the message, so that what changed while an email waited counts. An answer holds
   * for a second from the question on; after that it is asked again, and an email whose question has no answer in time,
   * or a rejection, is put off. Asked of many emails at the same time.
   */
  decide(question: RecipientQuestion): Promise<readonly RecipientDecision[]>;
}
