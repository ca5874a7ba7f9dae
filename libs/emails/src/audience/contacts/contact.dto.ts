import { constant, text, textOrNull, timestamp, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { type ContactPropertyRecords, SHOWN_PROPERTIES } from './contact-properties.js';

/** A contact. */
export class ContactDto {
  @AnswerField({ schema: constant('contact') })
  object!: 'contact';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text })
  email!: string;

  @AnswerField({ schema: textOrNull })
  first_name!: string | null;

  @AnswerField({ schema: textOrNull })
  last_name!: string | null;

  @AnswerField({ schema: { type: 'boolean' } })
  unsubscribed!: boolean;

  @AnswerField({ schema: SHOWN_PROPERTIES })
  properties!: ContactPropertyRecords;

  @AnswerField({ schema: timestamp })
  created_at!: string;
}
