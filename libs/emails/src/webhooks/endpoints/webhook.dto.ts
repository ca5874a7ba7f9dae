import { constant } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { ListedWebhookDto } from './listed-webhook.dto.js';

/** A webhook. */
export class WebhookDto extends ListedWebhookDto {
  @AnswerField({ schema: constant('webhook') })
  object!: 'webhook';

  @AnswerField({ schema: { type: 'string', pattern: '^whsec_' }, description: 'The newest.' })
  signing_secret!: string;
}
