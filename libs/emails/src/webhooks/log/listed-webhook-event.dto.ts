import { isoTime, textOrNull, uuidOrNull, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../endpoints/event-types.js';
import { WEBHOOK_EVENT_ID, WEBHOOK_EVENT_STATUSES, type WebhookEventStatus } from './webhook-event-status.js';

/** An event in the log of a webhook. */
export class ListedWebhookEventDto {
  @AnswerField({ schema: { type: 'string', pattern: WEBHOOK_EVENT_ID.source } })
  id!: string;

  @AnswerField({ schema: words(WEBHOOK_EVENT_TYPES) })
  type!: WebhookEventType;

  @AnswerField({ schema: isoTime, description: 'Of the event.' })
  created_at!: string;

  @AnswerField({ schema: words(WEBHOOK_EVENT_STATUSES) })
  status!: WebhookEventStatus;

  @AnswerField({ schema: { type: 'integer', minimum: 0 }, description: 'Requests so far, replays included.' })
  attempts!: number;

  @AnswerField({ schema: uuidOrNull, description: 'The email that it is about; null: none.' })
  email_id!: string | null;

  @AnswerField({ schema: textOrNull, description: 'The only recipient that it names; null: none, or several.' })
  recipient!: string | null;
}
