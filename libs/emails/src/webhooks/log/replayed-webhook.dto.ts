import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { WEBHOOK_LIMITS } from '../limits.js';

/** A group of failed events that are sent once more. */
export class ReplayedWebhookDto {
  @AnswerField({ schema: constant('webhook') })
  object!: 'webhook';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({
    schema: { type: 'integer', maximum: WEBHOOK_LIMITS.replayed.max },
    description: 'Events of this group.',
  })
  replayed!: number;

  @AnswerField({ schema: { type: 'boolean' }, description: 'More failed events follow `last`.' })
  has_more!: boolean;

  @AnswerField({ schema: { type: ['string', 'null'] }, description: 'The `after` of the next group; null: none.' })
  last!: string | null;
}
