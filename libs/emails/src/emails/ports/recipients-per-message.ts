/**
 * Recipients of one message: `all` of its email, or 1, and then each recipient gets a message of its own. `topics`: 1 for
 * emails with a topic, else all.
 */
export type RecipientsPerMessage = 'all' | 1 | 'topics';

/** True if an email is sent as one message for each recipient. */
export function isSplit(
  recipientsPerMessage: RecipientsPerMessage | undefined,
  { topicId }: { topicId: string | null },
): boolean {
  return recipientsPerMessage === 1 || (recipientsPerMessage === 'topics' && topicId !== null);
}
