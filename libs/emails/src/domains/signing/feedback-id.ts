import { createHash } from 'node:crypto';

const PLAIN = /^[\w.-]{1,64}$/;

/** The message that the value is about. */
interface About {
  accountId: string;
  topicId: string | null;
}

/**
 * The value of `Feedback-ID`: `campaign:account:type:sender`. Parts have no colon and name no recipient; an account id with
 * other characters, or a long one, is represented by its hash.
 *
 * @see https://support.google.com/mail/answer/6254652
 */
export function feedbackId({ accountId, topicId }: About, sender: string): string {
  return [topicId ?? '', partOf(accountId), topicId === null ? 'single' : 'topic', sender].join(':');
}

function partOf(text: string): string {
  return PLAIN.test(text) ? text : createHash('sha256').update(text).digest('hex').slice(0, 32);
}
