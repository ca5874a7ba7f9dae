import { isoTime, text } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { WEBHOOK_ATTEMPT_ID } from './webhook-event-status.js';

/** A request to a webhook. */
export class WebhookAttemptDto {
  @AnswerField({ schema: { type: 'string', pattern: WEBHOOK_ATTEMPT_ID.source } })
  id!: string;

  @AnswerField({
    schema: { type: 'integer', minimum: 0 },
    description: '0 without an answer: `response` says why.',
  })
  http_status_code!: number;

  @AnswerField({ schema: text, description: 'The beginning of the body of the answer.' })
  response!: string;

  @AnswerField({ schema: isoTime })
  sent_at!: string;
}
