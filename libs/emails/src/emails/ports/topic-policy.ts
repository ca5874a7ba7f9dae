/**
 * May this recipient get mail of this topic? `reason` is for whoever asks the policy itself: the recipient's event says
 * `topic_opted_out`, whatever it is.
 */
export type TopicDecision = { allowed: true } | { allowed: false; reason: string };

/** Topics and the choices of contacts, as the host keeps them. */
export interface TopicPolicy {
  /** True when `topicId` (a uuid) is a topic of this account. Asked when an email is accepted. */
  exists(accountId: string, topicId: string): Promise<boolean>;

  /**
   * Decides for each address, in the order given; an address without a decision is refused. Asked as a recipient policy
   * is, and after those. A topic that no longer exists refuses every address.
   */
  decide(accountId: string, topicId: string, addresses: readonly string[]): Promise<readonly TopicDecision[]>;
}
