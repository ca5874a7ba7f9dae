import { IsOptional, IsString } from 'class-validator';
import { parseIsoTime } from '../../shared/text/iso-time.js';
import { Field } from '../../shared/validation/field.js';
import { passes, ruleDecorator } from '../../shared/validation/rule.js';
import { says } from '../../shared/validation/sentence.js';

const IsIsoTime = () =>
  ruleDecorator(
    'isIsoTime',
    passes(
      (value) => typeof value === 'string' && parseIsoTime(value) !== undefined,
      'must be an ISO 8601 time such as `2026-11-21T05:26:01Z`',
    ),
    { type: 'string', examples: ['2026-11-21T05:26:01Z'] },
  );

/** The body of `POST /webhooks/:id/replay`. */
export class ReplayWebhookDto {
  @Field({ description: 'Failed events from this time on are replayed, the oldest first.' })
  @IsIsoTime()
  since!: string;

  @Field({ description: '`last` of the answer before this one.' })
  @IsOptional()
  @IsString(says('must be the id of an event of this webhook'))
  after?: string | undefined;
}
