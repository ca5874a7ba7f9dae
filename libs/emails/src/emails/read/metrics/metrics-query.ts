import { ApiError } from '../../../shared/errors/api-error.js';
import { readInstant } from '../../../shared/http/instant.js';
import { checkWords, several } from '../../../shared/http/query.js';
import { isUuid } from '../../../shared/text/is-uuid.js';
import { type EmailMetric, METRICS } from './metrics.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** What is counted is kept by quarters of an hour. */
const SLOT = HOUR / 4;
const MAX_PERIODS = 10_000;
const MAX_IDS = 100;

/** The lengths of periods, in milliseconds; of months on average. */
const LENGTHS: Readonly<Record<MetricsGranularity, number>> = {
  hourly: HOUR,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30.436875 * DAY,
};

/** How long periods are. */
export type MetricsGranularity = 'hourly' | 'daily' | 'weekly' | 'monthly';
/** What metrics are broken down by. */
export type MetricsDimension = 'period' | 'domain' | 'email' | 'broadcast';

export const GRANULARITIES: readonly MetricsGranularity[] = ['hourly', 'daily', 'weekly', 'monthly'];
export const DIMENSIONS: readonly MetricsDimension[] = ['period', 'domain', 'email', 'broadcast'];

/** What is wanted of `GET /emails/metrics` (contract, section 3.5). Lists also with commas between their words. */
export interface MetricsQuery {
  /** ISO 8601 date (midnight UTC) or time. Default: six days before the end. */
  start_date?: string | undefined;
  /** The same, exclusive; one to come counts as now. Default: now. */
  end_date?: string | undefined;
  /** IANA name, of the zone by which periods begin. Default: `UTC`. */
  timezone?: string | undefined;
  /** `hourly`, `daily`, `weekly` or `monthly`. Default: `daily`. */
  granularity?: string | undefined;
  /** Default: all. */
  metrics?: string | readonly string[] | undefined;
  /** `period`, `domain`, `email`, `broadcast`. Default: none, for the totals alone. */
  dimensions?: string | readonly string[] | undefined;
  /** Up to 100 each. Default: all. */
  domain_id?: string | readonly string[] | undefined;
  email_id?: string | readonly string[] | undefined;
  broadcast_id?: string | readonly string[] | undefined;
}

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
export function toMetricsRequest(query: MetricsQuery, now: number): MetricsRequest {
  const metrics = several(query.metrics) ?? METRICS;
  checkWords('metrics', metrics, METRICS);
  const dimensions = several(query.dimensions) ?? [];
  checkWords('dimensions', dimensions, DIMENSIONS);
  const granularity = query.granularity || 'daily';
  checkWords('granularity', [granularity], GRANULARITIES);
  const request = {
    ...rangeOf(query, now),
    timezone: timezoneOf(query.timezone),
    granularity: granularity as MetricsGranularity,
    metrics,
    dimensions,
    domainIds: idsOf('domain_id', query.domain_id),
    emailIds: idsOf('email_id', query.email_id),
    broadcastIds: idsOf('broadcast_id', query.broadcast_id),
  };
  checkTogether(request);
  return request;
}

/** To the quarters of an hour that it lies in: of parts of them nothing is known. */
function rangeOf({ start_date, end_date }: MetricsQuery, now: number): Pick<MetricsRequest, 'from' | 'until'> {
  const end = instantOf('end_date', end_date) ?? now;
  const start = instantOf('start_date', start_date) ?? Math.max(0, Math.min(end, now) - 6 * DAY);
  if (start > end) throw ApiError.invalid('`start_date` must be on or before `end_date`.');
  return {
    from: Math.floor(Math.min(start, now) / SLOT) * SLOT,
    until: Math.ceil(Math.min(end, now) / SLOT) * SLOT,
  };
}

function instantOf(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const instant = readInstant(text);
  if (instant !== undefined) return instant;
  throw ApiError.invalid(
    `\`${name}\` must be an ISO 8601 date such as \`2026-07-01\`, or a date and time such as \`2026-07-01T00:00:00Z\`.`,
  );
}

function timezoneOf(name: string | undefined): string {
  if (!name) return 'UTC';
  try {
    // An offset, which `Intl` takes too, PostgreSQL would read the other way round.
    if (/^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name })) return name;
  } catch {
    // It is none.
  }
  throw unknownTimezone();
}

export function unknownTimezone(): ApiError {
  return ApiError.invalid('`timezone` must be the IANA name of a time zone, such as `America/New_York`.');
}

function idsOf(name: string, given: string | readonly string[] | undefined): string[] | undefined {
  const ids = several(given);
  if (ids && !ids.every(isUuid)) throw ApiError.invalid(`\`${name}\` must be a valid UUID, or several of them.`);
  if (ids && ids.length > MAX_IDS) throw ApiError.invalid(`\`${name}\` must be up to ${MAX_IDS} ids.`);
  return ids;
}

function checkTogether({ from, until, granularity, dimensions, emailIds, broadcastIds }: MetricsRequest): void {
  const ofEmails = emailIds !== undefined || dimensions.includes('email');
  const ofBroadcasts = broadcastIds !== undefined || dimensions.includes('broadcast');
  if (ofEmails && ofBroadcasts) {
    throw ApiError.invalid(
      '`email_id` and the dimension `email` go together with neither `broadcast_id` nor the dimension `broadcast`.',
    );
  }
  if (dimensions.includes('period') && (until - from) / LENGTHS[granularity] > MAX_PERIODS) {
    throw ApiError.invalid(
      `From \`start_date\` to \`end_date\` there may be ${MAX_PERIODS} periods. Ask for less time, or a coarser \`granularity\`.`,
    );
  }
}
