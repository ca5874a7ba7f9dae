import { uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { WEBHOOK_LIMITS } from '../limits.js';

const count = { type: 'integer', minimum: 0, maximum: WEBHOOK_LIMITS.counted.max };

/** The latest events of a webhook in numbers. */
export class WebhookStatisticsDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: count, description: 'The latest events of its log that the other numbers are about.' })
  events!: number;

  @AnswerField({ schema: count })
  success!: number;

  @AnswerField({ schema: count })
  failed!: number;

  @AnswerField({ schema: count })
  attempting!: number;

  @AnswerField({ schema: count })
  pending!: number;

  @AnswerField({
    schema: { type: ['number', 'null'], minimum: 0, maximum: 1 },
    description: 'Share of successful events among those that were tried; null: none was.',
  })
  success_rate!: number | null;
}
