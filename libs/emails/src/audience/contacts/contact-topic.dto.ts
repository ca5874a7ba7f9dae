import { schema } from '../../shared/openapi/components.js';
import { text, textOrNull, timestamp, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import type { Subscription } from '../topics/subscription.js';

/** A topic for one contact, with the contact's choice or else the topic's default. */
export class ContactTopicDto {
  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text })
  name!: string;

  @AnswerField({ schema: textOrNull })
  description!: string | null;

  @AnswerField({ schema: schema('Subscription') })
  subscription!: Subscription;

  @AnswerField({ schema: timestamp, description: 'Of the topic.' })
  created_at!: string;
}
