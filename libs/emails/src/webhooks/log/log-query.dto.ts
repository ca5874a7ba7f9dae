import { IsOptional, IsString } from 'class-validator';
import { DEFAULT_LIMIT, IsLimit } from '../../shared/http/page-query.dto.js';
import { Field } from '../../shared/validation/field.js';
import { ruleDecorator } from '../../shared/validation/rule.js';
import { says } from '../../shared/validation/sentence.js';

/** A page of a webhook's log, the newest first. */
export class LogQueryDto {
  @Field({ keepsEmpty: true, description: 'How many.', schema: { default: DEFAULT_LIMIT } })
  @IsOptional()
  @IsLimit()
  limit?: number | string | undefined;

  @Field({ keepsEmpty: true, description: 'The page after this one.' })
  @IsOptional()
  @IsString(says('must be the id of an object in this list'))
  after?: string | undefined;

  @Field({ keepsEmpty: true, description: 'There is none.', schema: { type: 'string', maxLength: 0 } })
  @IsOptional()
  @ruleDecorator('isLeftOut', () => 'must be left out: this list is read from the newest on')
  before?: string | undefined;
}
