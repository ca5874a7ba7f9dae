import { IsIn, IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsFixed, IsLine, IsRepeated, IsTextUpTo } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';
import { AUDIENCE_LIMITS } from '../limits.js';
import { VISIBILITIES, type Visibility } from './visibility.js';

/** The body of `PATCH /topics/:id`. Null clears the description. */
export class UpdateTopicDto {
  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  topic_id?: string | undefined;

  @Field()
  @IsOptional()
  @IsLine(AUDIENCE_LIMITS.topicName.max)
  name?: string | undefined;

  @Field({ nullable: true })
  @IsOptional()
  @IsTextUpTo(AUDIENCE_LIMITS.topicDescription.max)
  description?: string | null | undefined;

  @Field()
  @IsOptional()
  @IsFixed()
  default_subscription?: undefined;

  @Field()
  @IsOptional()
  @IsIn(VISIBILITIES, says('must be `public` or `private`'))
  visibility?: Visibility | undefined;
}
