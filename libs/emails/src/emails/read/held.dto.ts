import { text, timestamp } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** The hold of an account (contract, section 3.2). */
export class HeldDto {
  @AnswerField({ schema: timestamp })
  since!: string;

  @AnswerField({ schema: text })
  reason!: string;
}
