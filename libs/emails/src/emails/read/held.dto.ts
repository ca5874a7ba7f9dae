import { text, timestamp } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** The pause that an email waits for (contract, section 3.2). */
export class HeldDto {
  @AnswerField({ schema: timestamp })
  since!: string;

  @AnswerField({ schema: text })
  reason!: string;
}
