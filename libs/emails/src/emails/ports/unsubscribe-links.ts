/** A recipient of an email with a topic. */
export interface TopicRecipient {
  accountId: string;
  emailId: string;
  /** A UUID. */
  topicId: string;
  /** Envelope address, domain in A-labels. */
  address: string;
}

/** Lets recipients opt out of topics, and back in, without a key. */
export interface UnsubscribeLinks {
  /**
   * Address of a page for the recipient's choices, of printable ASCII without `<`, `>`, `"` and `'`. A POST to it with the
   * body `List-Unsubscribe=One-Click` opts out at once (RFC 8058 section 3.1), a GET changes nothing. The same recipient
   * of the same email always has the same link, so that each attempt sends the same message. Undefined where this process
   * cannot make links.
   */
  linkOf(recipient: TopicRecipient): string | undefined;

  /** Opts the recipient out of the topic, as the POST does: for a request that came by another way, such as a mail. */
  optOut(recipient: TopicRecipient): Promise<void>;
}
