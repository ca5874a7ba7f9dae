import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** A webhook that was changed. */
export class ChangedWebhookDto {
  @AnswerField({ schema: constant('webhook') })
  object!: 'webhook';

  @AnswerField({ schema: uuid })
  id!: string;
}
