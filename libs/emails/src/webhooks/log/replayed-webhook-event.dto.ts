import { constant } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { WEBHOOK_EVENT_ID } from './webhook-event-status.js';

/** A replayed event. */
export class ReplayedWebhookEventDto {
  @AnswerField({ schema: constant('webhook_event') })
  object!: 'webhook_event';

  @AnswerField({ schema: { type: 'string', pattern: WEBHOOK_EVENT_ID.source } })
  id!: string;
}
