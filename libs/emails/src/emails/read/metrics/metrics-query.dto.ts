import { IsIn, IsOptional } from 'class-validator';
import { readInstant } from '../../../shared/http/instant.js';
import { splitWords } from '../../../shared/http/query.js';
import { uuid } from '../../../shared/openapi/shapes.js';
import { isUuid } from '../../../shared/text/is-uuid.js';
import { AreWords } from '../../../shared/validation/are-words.js';
import { Field } from '../../../shared/validation/field.js';
import { passes, type Rule, ruleDecorator } from '../../../shared/validation/rule.js';
import { says } from '../../../shared/validation/sentence.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { METRICS, METRICS_DIMENSIONS, METRICS_GRANULARITIES } from './metrics.js';

/** The message for a time zone that PostgreSQL or this Node does not know. */
export const NO_TIMEZONE = 'must be the IANA name of a time zone, such as `America/New_York`';

const IsInstant = () =>
  ruleDecorator(
    'isInstant',
    passes(
      (value) => typeof value === 'string' && readInstant(value) !== undefined,
      'must be an ISO 8601 date such as `2026-07-01`, or a date and time such as `2026-07-01T00:00:00Z`',
    ),
    { type: 'string', examples: ['2026-07-01', '2026-07-01T00:00:00Z'] },
  );

const IsTimezone = () =>
  ruleDecorator('isTimezone', passes(isTimezone, NO_TIMEZONE), { type: 'string', default: 'UTC' });

const AreIds = () =>
  ruleDecorator('areIds', ids, { type: 'array', items: uuid, maxItems: EMAIL_LIMITS.metricsIds.max });

const ids: Rule = (value) => {
  if (!Array.isArray(value) || !value.every(isUuid)) return 'must be a valid UUID, or several of them';
  return value.length > EMAIL_LIMITS.metricsIds.max ? `must be up to ${EMAIL_LIMITS.metricsIds.max} ids` : undefined;
};

function isTimezone(name: unknown): boolean {
  // `Intl` accepts an offset too, which PostgreSQL would read with the opposite sign.
  if (typeof name !== 'string' || !/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const LISTED = 'With commas between them, or repeated.';
const IDS = { listsOne: true, reads: splitWords };

/** Query of `GET /emails/metrics` (contract, section 3.5). */
export class MetricsQueryDto {
  @Field({ description: 'ISO 8601 date (midnight UTC) or time. Default: six days before `end_date`.' })
  @IsOptional()
  @IsInstant()
  start_date?: string | undefined;

  @Field({ description: 'The same, exclusive; at most now. Default: now.' })
  @IsOptional()
  @IsInstant()
  end_date?: string | undefined;

  @Field({ description: 'IANA name of the zone by which periods begin.' })
  @IsOptional()
  @IsTimezone()
  timezone?: string | undefined;

  @Field({
    description: `How long periods are: ${EMAIL_LIMITS.metricsRows.max} of them at most.`,
    schema: { default: 'daily' },
  })
  @IsOptional()
  @IsIn([...METRICS_GRANULARITIES], says(`must be one of: ${METRICS_GRANULARITIES.join(', ')}`))
  granularity?: string | undefined;

  @Field({ listsOne: true, reads: splitWords, description: `Default: all. ${LISTED}` })
  @IsOptional()
  @AreWords(METRICS)
  metrics?: string | readonly string[] | undefined;

  @Field({
    listsOne: true,
    reads: splitWords,
    description: `Dimensions of the rows. Default: totals alone. ${LISTED}`,
  })
  @IsOptional()
  @AreWords(METRICS_DIMENSIONS)
  dimensions?: string | readonly string[] | undefined;

  @Field({ ...IDS, description: `Only of these domains. ${LISTED}` })
  @IsOptional()
  @AreIds()
  domain_id?: string | readonly string[] | undefined;

  @Field({ ...IDS, description: `Only of these emails. ${LISTED}` })
  @IsOptional()
  @AreIds()
  email_id?: string | readonly string[] | undefined;

  @Field({ ...IDS, description: `Only of these broadcasts. ${LISTED}` })
  @IsOptional()
  @AreIds()
  broadcast_id?: string | readonly string[] | undefined;
}
