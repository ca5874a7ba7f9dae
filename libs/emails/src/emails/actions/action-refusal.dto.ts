import { text, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';

/** An email on which an action could not act. */
export class ActionRefusalDto {
  @AnswerField({ schema: uuid, description: 'The email.' })
  id!: string;

  @AnswerField({
    schema: text,
    description: 'That of the refusal of the single operation; of a sender policy, only the code.',
  })
  message!: string;
}
