import type { EmailDto } from './email.dto.js';
import type { EmailDetailsDto } from './email-details.dto.js';
import type { ListedEmailDto } from './listed-email.dto.js';
import type { FoundEmail, ListedEmail, PageRow } from './listing.service.js';

export function toEmailDetails(email: FoundEmail): EmailDetailsDto {
  const { tags, topicId, resentFrom, isEmpty, isSensitive, isBulk, held } = email;
  return {
    ...toEmailRecord(email),
    tags,
    topic_id: topicId,
    priority: isBulk ? 'bulk' : 'now',
    ...(resentFrom !== null && { resent_from: resentFrom }),
    ...(isEmpty && { no_content: true }),
    ...(isSensitive && { sensitive: true }),
    ...(held && { held }),
  };
}

/** An email of a list: a summary has more fields. */
export function toListedEmail(email: PageRow): ListedEmailDto {
  const { tags, topicId, attachments } = email;
  const isSummary = tags !== undefined && attachments !== undefined;
  return { ...toEmailRecord(email), ...(isSummary && { tags, topic_id: topicId ?? null, attachments }) };
}

export function toEmailRecord(email: ListedEmail): EmailDto {
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
