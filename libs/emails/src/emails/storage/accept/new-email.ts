import type { RecipientState } from '../../states/recipient-state.js';

/** An email with all stored data, ready to be written. */
export interface NewEmail {
  id: string;
  accountId: string;
  /** Contains the id, unless the caller gave it. */
  messageId: string;
  from: string;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  replyTo: readonly string[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: readonly (readonly [string, string])[];
  tags: readonly { name: string; value: string }[];
  topicId: string | null;
  /** Id of the template that it was made from. Default: none. */
  templateId?: string | undefined;
  /** ISO 8601 with up to six fractional digits. */
  scheduledAt: string | null;
  recipients: readonly RecipientState[];
  /** Search terms, made by `termsOf`. */
  terms: readonly string[];
  /** Words by which it is found, without duplicates. Empty where words are not indexed. */
  words: readonly string[];
  attachments: readonly NewAttachment[];
  idempotency: IdempotencyClaim | null;
  /** Id of the API key for which it was accepted, where sender policies were asked. */
  apiKeyId?: string | undefined;
  domainId?: string | undefined;
  /** Content is not shown, and is cleared when nothing is pending. Default: no. */
  sensitive?: boolean | undefined;
  /** In the lane `bulk`. Default: in the lane `now`. */
  isBulk?: boolean | undefined;
  /** Bytes of html and text that are copied from another email. Default: none are. */
  copiedSize?: number | undefined;
}

export interface NewAttachment {
  filename: string | null;
  contentType: string;
  contentId: string | null;
  contentHash: string;
  size: number;
}

export interface IdempotencyClaim {
  key: string;
  requestHash: string;
  /** Milliseconds. */
  retention: number;
}
