import { schema } from '../../shared/openapi/components.js';
import { constant, text, textOrNull, timestamp, uuid, words } from '../../shared/openapi/shapes.js';
import { AnswerField } from '../../shared/validation/field.js';
import type { Subscription } from './subscription.js';
import { VISIBILITIES, type Visibility } from './visibility.js';

/** A topic. */
export class TopicDto {
  @AnswerField({ schema: constant('topic') })
  object!: 'topic';

  @AnswerField({ schema: uuid })
  id!: string;

  @AnswerField({ schema: text })
  name!: string;

  @AnswerField({ schema: textOrNull })
  description!: string | null;

  @AnswerField({ schema: schema('Subscription') })
  default_subscription!: Subscription;

  @AnswerField({ schema: words(VISIBILITIES) })
  visibility!: Visibility;

  @AnswerField({ schema: timestamp })
  created_at!: string;
}
