import { text, timestamp, uuid, words } from '../shared/openapi/shapes.js';
import { AnswerField } from '../shared/validation/field.js';

/** A variable of a template in an answer. */
export class ShownVariableDto {
  @AnswerField({ schema: uuid, description: 'The id of this key in this template, permanently.' })
  id!: string;

  @AnswerField({ schema: text })
  key!: string;

  @AnswerField({ schema: words(['string', 'number']) })
  type!: 'string' | 'number';

  @AnswerField({ schema: { type: ['string', 'number', 'null'] }, description: 'Null: every email must give a value.' })
  fallback_value!: string | number | null;

  @AnswerField({ schema: timestamp })
  created_at!: string;

  @AnswerField({ schema: timestamp })
  updated_at!: string;
}
