import type { EmailEventType } from '../states/email-states.js';
import type { FoundEmail, ListedEmail } from './listing.service.js';

/** An email in a list (contract, section 3). Every field is always present. */
export interface EmailRecord {
  object: 'email';
  id: string;
  message_id: string;
  to: string[];
  from: string;
  /** `2026-11-21 05:26:01.123456+00` */
  created_at: string;
  subject: string;
  html: string | null;
  text: string | null;
  bcc: string[];
  cc: string[];
  reply_to: string[];
  last_event: EmailEventType;
  /** As `created_at`, or null. */
  scheduled_at: string | null;
}

/** An email by itself (contract, section 3.2). Every field but the last two is always present. */
export interface EmailDetails extends EmailRecord {
  tags: { name: string; value: string }[];
  topic_id: string | null;
  /** The email that was sent again as this one. */
  resent_from?: string;
  /** True of an email that was accepted without html, text and attachments, unlike one whose content was cleared. */
  no_content?: true;
}

export function toEmailDetails(email: FoundEmail): EmailDetails {
  const { tags, topicId, resentFrom, isEmpty } = email;
  return {
    ...toEmailRecord(email),
    tags,
    topic_id: topicId,
    ...(resentFrom !== null && { resent_from: resentFrom }),
    ...(isEmpty && { no_content: true }),
  };
}

export function toEmailRecord(email: ListedEmail): EmailRecord {
  return {
    object: 'email',
    id: email.id,
    message_id: email.messageId,
    to: email.to,
    from: email.from,
    created_at: email.createdAt,
    subject: email.subject,
    html: email.html,
    text: email.text,
    bcc: email.bcc,
    cc: email.cc,
    reply_to: email.replyTo,
    last_event: email.lastEvent,
    scheduled_at: email.scheduledAt,
  };
}
