import { uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An email that was accepted. */
export class SentEmailDto {
  @AnswerField({ schema: uuid })
  id!: string;
}
