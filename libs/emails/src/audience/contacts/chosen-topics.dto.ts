import { schema } from '../../shared/openapi/components.js';
import { constant, uuid } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import { ContactTopicDto } from './contact-topic.dto.js';

/** Answer to changed choices. */
export class ChosenTopicsDto {
  @AnswerField({ schema: constant('contact_topics') })
  object!: 'contact_topics';

  @AnswerField({ schema: uuid, description: 'Of the contact, as `contact_id` is.' })
  id!: string;

  @AnswerField({ schema: uuid })
  contact_id!: string;

  @AnswerField({
    each: ContactTopicDto,
    schema: { items: schema('ContactTopic') },
    description: 'Those that were named, in this order.',
  })
  topics!: ContactTopicDto[];
}
