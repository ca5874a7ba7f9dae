/**
 * May this recipient get mail of this topic? `reason` is for direct callers of the policy: the recipient's event always
 * has `topic_opted_out`.
 */
export type TopicDecision = { allowed: true } | { allowed: false; reason: string };

/** Topics and the choices of contacts, stored by the host. */
export interface TopicPolicy {
  /** True when `topicId` (a uuid) is a topic of this account. Called when an email is accepted. */
  exists(accountId: string, topicId: string): Promise<boolean>;

  /**
   * Decides for each address, in the order given; an address without a decision is refused. Called like a recipient
   * policy, and after those. A topic that no longer exists refuses every address.
   */
  decide(accountId: string, topicId: string, addresses: readonly string[]): Promise<readonly TopicDecision[]>;
}
