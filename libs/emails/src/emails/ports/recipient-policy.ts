import type { SuppressionReason } from '../states/suppression-reasons.js';

export type { SuppressionReason };

/**
 * May this recipient get this email? `code` says why not, of 1 to 50 of `a-z`, `0-9` and `_`: it is the `reason` of the
 * recipient's event, and of webhooks. `reason` is its text.
 */
export type RecipientDecision = { allowed: true } | RecipientRefusal;

/** Why a recipient may not get an email. */
export interface RecipientRefusal {
  allowed: false;
  code: string;
  /** In words, up to 500 characters. Shown in the `suppressed` event of a suppression list. Default: the code. */
  reason?: string | undefined;
  /** For a suppression list: the entry. Its reason takes the place of the code. Default: a manual entry. */
  suppressed?: RefusedBySuppression | undefined;
}

/** The entry of a suppression list that refuses a recipient. */
export interface RefusedBySuppression {
  reason: SuppressionReason;
  /** The replies that put the recipient on the list, such as `smtp; 550 5.1.1 No such user`. The first is recorded. */
  diagnosticCode: readonly string[];
}

/** Recipients of one email that is about to be sent. */
export interface RecipientQuestion {
  accountId: string;
  emailId: string;
  /** Null: the email has no topic. */
  topicId: string | null;
  /** Envelope addresses, domain in A-labels; at least one, each once. */
  addresses: readonly string[];
}

/** Decides which recipients may get mail: a suppression list, an allow list for staging, a rule of the host. */
export interface RecipientPolicy {
  /**
   * True if this is the suppression list: it is called first, and its refusals are recorded as `suppressed`, those of
   * all others as `failed`. At most one policy can be the suppression list. Default: false.
   */
  readonly isSuppressionList?: boolean | undefined;

  /**
   * Decides for each address, in the order given: one decision for each, or the email is deferred. Called at delivery,
   * when a connection is ready for the message, so that changes during the wait count. An answer is valid for a second
   * from the start of the call; after that the policy is called again. No answer in time, or a rejection, defers the
   * email. Called for many emails at the same time.
   */
  decide(question: RecipientQuestion): Promise<readonly RecipientDecision[]>;
}
