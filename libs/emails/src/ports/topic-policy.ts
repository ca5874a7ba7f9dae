/** May this recipient get mail of this topic? `reason` is shown to the sender, in the recipient's event. */
export type TopicDecision = { allowed: true } | { allowed: false; reason: string };

/** Topics and the choices of contacts, as the host keeps them. */
export interface TopicPolicy {
  /** True when `topicId` (a uuid) is a topic of this account. Asked when an email is accepted. */
  exists(accountId: string, topicId: string): Promise<boolean>;

  /**
   * Decides for each address, in the order given. Asked at the moment of delivery, so that an opt-out made while
   * an email waited wins. A topic that no longer exists refuses every address.
   */
  decide(accountId: string, topicId: string, addresses: readonly string[]): Promise<readonly TopicDecision[]>;
}
