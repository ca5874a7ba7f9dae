import { IsOptional } from 'class-validator';
import { uuid } from '../../shared/openapi/shapes.js';
import { isUuid } from '../../shared/text/is-uuid.js';
import { Field } from '../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import { AreAddresses } from './are-addresses.js';

const MAX = FEEDBACK_LIMITS.suppressions.max;

const AreSuppressionIds = () =>
  ruleDecorator(
    'areSuppressionIds',
    passes(
      (value) => Array.isArray(value) && value.length <= MAX && value.every(isUuid),
      `must be an array of 1 to ${MAX} ids of suppressions`,
    ),
    { type: 'array', items: uuid, minItems: 1, maxItems: MAX },
  );

/** The body of `POST /suppressions/batch/remove`. */
export class RemoveSuppressionsDto {
  @Field({ description: 'Addresses without names. Not with `ids`.' })
  @IsOptional()
  @AreAddresses()
  emails?: string[] | undefined;

  @Field({ description: 'Ids of suppressions. Not with `emails`.' })
  @IsOptional()
  @AreSuppressionIds()
  ids?: string[] | undefined;
}
