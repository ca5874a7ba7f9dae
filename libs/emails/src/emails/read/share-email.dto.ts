import { IsOptional } from 'class-validator';
import { Field } from '../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { shareTime } from './share-time.js';

const IsShareTime = () =>
  ruleDecorator(
    'isShareTime',
    passes(
      (value) => typeof value === 'string' && shareTime(value) !== undefined,
      'must be a duration such as `10m`, `2 hours` or `1 day`, up to 48 hours',
    ),
    { type: 'string' },
  );

/** Body of `POST /emails/:id/share`. */
export class ShareEmailDto {
  @Field({
    description: 'How long the link lives, such as `10m`, `2 hours` or `1 day`. Default and longest: 48 hours.',
    examples: ['10m', '2 hours', '1 day'],
  })
  @IsOptional()
  @IsShareTime()
  expires_in?: string | null | undefined;
}
