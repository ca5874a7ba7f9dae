import { IsIn, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsLine, IsTextUpTo } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import { AUDIENCE_LIMITS } from '../limits.js';
import { IsSubscription } from './is-subscription.js';
import type { Subscription } from './subscription.js';
import { VISIBILITIES, type Visibility } from './visibility.js';

/** The body of `POST /topics`. */
export class CreateTopicDto {
  @Field()
  @IsLine(AUDIENCE_LIMITS.topicName.max)
  name!: string;

  @Field({ nullable: true })
  @IsOptional()
  @IsTextUpTo(AUDIENCE_LIMITS.topicDescription.max)
  description?: string | null | undefined;

  @Field({ description: 'The default for contacts without a choice. Never changes.' })
  @IsSubscription()
  default_subscription!: Subscription;

  @Field({ schema: { default: 'private' } })
  @IsOptional()
  @IsIn(VISIBILITIES, says('must be `public` or `private`'))
  visibility?: Visibility | undefined;
}
