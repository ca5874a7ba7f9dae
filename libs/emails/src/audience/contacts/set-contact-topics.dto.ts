import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { IsRepeated } from '../../shared/validation/rules.js';
import { TOPIC_CHOICES, type TopicChoiceDto } from './topic-choice.dto.js';

/** The body of `PATCH /contacts/:id_or_email/topics`, when it is an object. */
export class SetContactTopicsDto {
  @Field(TOPIC_CHOICES)
  topics!: TopicChoiceDto[];

  @Field()
  @IsOptional()
  @IsRepeated()
  id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  contact_id?: string | undefined;

  @Field()
  @IsOptional()
  @IsRepeated()
  email?: string | undefined;
}
