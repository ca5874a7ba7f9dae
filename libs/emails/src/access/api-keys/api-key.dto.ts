import { text, timestamp, timestampOrNull, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An API key in the list. */
export class ApiKeyDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text })
  name!: string;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: timestampOrNull })
  last_used_at!: string | null;
}
