/** May this recipient get mail of this topic? `reason` is shown to the sender, in the recipient's event. */
export type TopicDecision = { allowed: true } | { allowed: false; reason: string };

/** Topics and the choices of contacts, as the host keeps them. */
export interface TopicPolicy {
  /** True when `topicId` (a uuid) is a topic of this account. Asked when an email is accepted. */
  exists(accountId: string, topicId: string): Promise<boolean>;

  /**
   * Decides for each address, in the order given. Asked at the moment of delivery, when a connection waits for the
   * message, so that an opt-out made while an email waited wins. An answer holds for a second from the question on; after
   * that it is asked again, and an email whose question has no answer in time is put off. A topic that no longer exists
   * refuses every address.
   */
  decide(accountId: string, topicId: string, addresses: readonly string[]): Promise<readonly TopicDecision[]>;
}
