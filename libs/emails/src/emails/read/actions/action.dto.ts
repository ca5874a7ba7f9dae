import { text, textOrNull, timestamp, uuid, words } from '../../../shared/openapi/shapes.js';
import { AnswerField } from '../../../shared/validation/field.js';
import { EMAIL_LIMITS } from '../../limits.js';

/** A change that a caller asked for. */
export class ActionDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  /** `noun.verb`. */
  @AnswerField({ schema: { ...text, examples: ['email.cancel'] } })
  action!: string;

  @AnswerField({ schema: words(['page', 'api']) })
  source!: 'page' | 'api';

  @AnswerField({ schema: { ...textOrNull, description: 'The API key of the request, or of the session.' } })
  key_id!: string | null;

  @AnswerField({ schema: { ...textOrNull, description: 'The session of the page.' } })
  session_id!: string | null;

  @AnswerField({
    schema: {
      type: 'array',
      items: text,
      maxItems: EMAIL_LIMITS.recordedIds.max,
      description: 'What was changed; of many, the first.',
    },
  })
  ids!: string[];

  @AnswerField({ schema: { type: 'integer', minimum: 0, description: 'How many were changed.' } })
  count!: number;
}
