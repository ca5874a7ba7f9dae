import { text, timestamp, uuid, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './event-types.js';
import { WEBHOOK_STATUSES, type WebhookStatus } from './webhook.entity.js';

/** A webhook in a list. */
export class ListedWebhookDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: words(WEBHOOK_STATUSES) })
  status!: WebhookStatus;

  @AnswerField({ schema: text })
  endpoint!: string;

  @AnswerField({ schema: { type: 'array', items: words(WEBHOOK_EVENT_TYPES) } })
  events!: WebhookEventType[];
}
