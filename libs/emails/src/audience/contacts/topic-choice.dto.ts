import { Field } from '../../shared/validation/field.js';
import { IsUuid } from '../../shared/validation/rules.js';
import { IsSubscription } from '../topics/is-subscription.js';
import type { Subscription } from '../topics/subscription.js';

/** A contact's choice of a topic. */
export class TopicChoiceDto {
  @Field({ description: 'Of the topic.' })
  @IsUuid('must be the id of a topic')
  id!: string;

  @Field()
  @IsSubscription()
  subscription!: Subscription;
}

/** A list of them in a body. */
export const TOPIC_CHOICES = { each: TopicChoiceDto, expected: 'an array of `{id, subscription}`' };
