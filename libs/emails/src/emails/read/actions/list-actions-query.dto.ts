import { IsOptional } from 'class-validator';
import { PageQueryDto } from '../../../shared/http/page-query.dto.js';
import { Field } from '../../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../../shared/validation/rule.js';

const PATTERN = /^[a-z_]{1,50}\.[a-z_]{1,50}$/;

const isName = (value: unknown) => typeof value === 'string' && PATTERN.test(value);

const IsActionName = () =>
  ruleDecorator('isActionName', passes(isName, 'must be the name of an action, such as `email.cancel`'), {
    type: 'string',
    pattern: PATTERN.source,
  });

/** The query of `GET /actions`. */
export class ListActionsQueryDto extends PageQueryDto {
  @Field({ keepsEmpty: true, description: 'Only this action, such as `email.cancel`.' })
  @IsOptional()
  @IsActionName()
  action?: string | undefined;
}
