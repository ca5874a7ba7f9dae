import { IsBoolean, IsOptional } from 'class-validator';
import { isoTime } from '../../shared/openapi/shapes.js';
import { parseIsoTime } from '../../shared/text/iso-time.js';
import { Field } from '../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { IsLine } from '../../shared/validation/rules.js';
import { says } from '../../shared/validation/sentence.js';

const isTime = (value: unknown) => typeof value === 'string' && parseIsoTime(value) !== undefined;

const IsTime = () =>
  ruleDecorator('isTime', passes(isTime, 'must be an ISO 8601 time such as `2026-11-21T05:26:01Z`'), isoTime);

/** The body of `POST /suppressions/undo`. */
export class UndoSuppressionsDto {
  @Field({ description: 'The operator of the servers that refused the addresses, such as `gmail`.' })
  @IsLine(50)
  operator!: string;

  @Field({ description: 'Entries that were added at this time or later.' })
  @IsTime()
  from!: string;

  @Field({ description: 'Entries that were added before this time, at most 7 days after `from`.' })
  @IsTime()
  to!: string;

  @Field({ description: 'Only counts.', schema: { default: false } })
  @IsOptional()
  @IsBoolean(says('must be true or false'))
  dry_run?: boolean | undefined;
}
