import { constant } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { ListedWebhookEventDto } from './listed-webhook-event.dto.js';

/** An event in the log of a webhook, with its payload. */
export class WebhookEventDto extends ListedWebhookEventDto {
  @AnswerField({ schema: constant('webhook_event') })
  object!: 'webhook_event';

  @AnswerField({ schema: { type: ['string', 'null'], format: 'date-time' } })
  next_attempt_at!: string | null;

  @AnswerField({ schema: { type: 'object' } })
  payload!: Readonly<Record<string, unknown>>;
}
