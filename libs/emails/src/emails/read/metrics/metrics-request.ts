import { ApiError } from '../../../shared/errors/api-error.js';
import { readInstant } from '../../../shared/http/instant.js';
import { listOf, readQuery } from '../../../shared/http/query.js';
import { sentence } from '../../../shared/validation/sentence.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { type EmailMetric, METRICS, type MetricsDimension, type MetricsGranularity } from './metrics.js';
import { MetricsQueryDto, NO_TIMEZONE } from './metrics-query.dto.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Counts are stored for each quarter of an hour. */
const SLOT = HOUR / 4;

/** The lengths of periods, in milliseconds; of months on average. */
const LENGTHS: Readonly<Record<MetricsGranularity, number>> = {
  hourly: HOUR,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30.436875 * DAY,
};

export interface MetricsRequest {
  /** Milliseconds since 1970, whole quarters of an hour. */
  from: number;
  /** Exclusive. */
  until: number;
  timezone: string;
  granularity: MetricsGranularity;
  metrics: readonly EmailMetric[];
  dimensions: readonly MetricsDimension[];
  /** Undefined: all. */
  domainIds: readonly string[] | undefined;
  emailIds: readonly string[] | undefined;
  broadcastIds: readonly string[] | undefined;
}

/**
 * @param now milliseconds since 1970
 * @throws ApiError 422
 */
export function toMetricsRequest(query: MetricsQueryDto, now: number): MetricsRequest {
  const read = readQuery(MetricsQueryDto, { ...query });
  const { timezone = 'UTC', granularity = 'daily', metrics = METRICS, dimensions } = read;
  const request = {
    ...rangeOf(read, now),
    timezone,
    granularity: granularity as MetricsGranularity,
    metrics: listOf(metrics) as readonly EmailMetric[],
    dimensions: listOf(dimensions) as readonly MetricsDimension[],
    domainIds: idsOf(read.domain_id),
    emailIds: idsOf(read.email_id),
    broadcastIds: idsOf(read.broadcast_id),
  };
  checkTogether(request);
  return request;
}

/** Widened to whole quarters of an hour, since counts have no finer resolution. */
function rangeOf({ start_date, end_date }: MetricsQueryDto, now: number): Pick<MetricsRequest, 'from' | 'until'> {
  const end = instantOf(end_date) ?? now;
  const start = instantOf(start_date) ?? Math.max(0, Math.min(end, now) - 6 * DAY);
  if (start > end) throw ApiError.invalid('`start_date` must be on or before `end_date`.');
  return {
    from: Math.floor(Math.min(start, now) / SLOT) * SLOT,
    until: Math.ceil(Math.min(end, now) / SLOT) * SLOT,
  };
}

function instantOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readInstant(text);
}

function idsOf(given: string | readonly string[] | undefined): readonly string[] | undefined {
  return given === undefined ? undefined : listOf(given);
}

export function unknownTimezone(): ApiError {
  return ApiError.invalid(sentence('timezone', NO_TIMEZONE));
}

function checkTogether({ from, until, granularity, dimensions, emailIds, broadcastIds }: MetricsRequest): void {
  const ofEmails = emailIds !== undefined || dimensions.includes('email');
  const ofBroadcasts = broadcastIds !== undefined || dimensions.includes('broadcast');
  if (ofEmails && ofBroadcasts) {
    throw ApiError.invalid(
      '`email_id` and the dimension `email` go together with neither `broadcast_id` nor the dimension `broadcast`.',
    );
  }
  if (dimensions.includes('period') && (until - from) / LENGTHS[granularity] > EMAIL_LIMITS.metricsRows.max) {
    throw ApiError.invalid(
      `From \`start_date\` to \`end_date\` there may be ${EMAIL_LIMITS.metricsRows.max} periods. Ask for less time, or a coarser \`granularity\`.`,
    );
  }
}
