import { IsOptional } from 'class-validator';
import { LIMITS } from '../limits.js';
import { uuid } from '../openapi/shapes.js';
import { isUuid } from '../text/is-uuid.js';
import { Field } from '../validation/field.js';
import { passes, ruleDecorator } from '../validation/rule.js';

export const DEFAULT_LIMIT = 20;
const MAX_LIMIT = LIMITS.page.max;

/** Size of an unlimited list; longer ones need a `limit` and pages. */
export const ALL = LIMITS.wholeList.max;

const isLimit = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') &&
  /^\d{1,3}$/.test(String(value)) &&
  +value >= 1 &&
  +value <= MAX_LIMIT;

/** A whole number from 1 to 100. */
export const IsLimit = () =>
  ruleDecorator('isLimit', passes(isLimit, `must be a whole number from 1 to ${MAX_LIMIT} in plain digits`), {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
  });

/** The id of an object of the list. */
export const IsCursor = () =>
  ruleDecorator('isCursor', passes(isUuid, 'must be the id of an object in this list'), uuid);

class CursorsDto {
  @Field({ keepsEmpty: true, description: 'The page after this object, with older ones. Not with `before`.' })
  @IsOptional()
  @IsCursor()
  after?: string | undefined;

  @Field({ keepsEmpty: true, description: 'The page before this object, with newer ones. Not with `after`.' })
  @IsOptional()
  @IsCursor()
  before?: string | undefined;
}

/** A page of a list (contract, section 3). */
export class PageQueryDto extends CursorsDto {
  @Field({ keepsEmpty: true, description: 'How many.', schema: { default: DEFAULT_LIMIT } })
  @IsOptional()
  @IsLimit()
  limit?: number | string | undefined;
}

/** The same for a list that returns everything without a `limit`. */
export class WholeListQueryDto extends CursorsDto {
  @Field({ keepsEmpty: true, description: `How many. Default: all, up to ${ALL.toLocaleString('en')}.` })
  @IsOptional()
  @IsLimit()
  limit?: number | string | undefined;
}
