import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { isDataError } from '../../../shared/errors/database-errors.js';
import { FairSemaphore } from '../../../shared/work/fair-semaphore.js';
import { type CountRow, CountsRepository, type CountsStore } from '../../storage/read/counts.repository.js';
import { TooSlowError } from '../../storage/read/read-within.js';
import { type EmailMetricsDto, MAX_ROWS } from './email-metrics.dto.js';
import type { MetricsQueryDto } from './metrics-query.dto.js';
import { type MetricsRequest, toMetricsRequest, unknownTimezone } from './metrics-request.js';
import { toEmailMetrics } from './to-email-metrics.js';

/** Statement timeout of an answer. Milliseconds. */
const PATIENCE = 2_000;
/**
 * Limit of metrics queries that a process runs at a time, half of them for one account: other requests need connections
 * too.
 */
const AT_ONCE = 4;

const UNITS = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** Outcomes of an account's emails, in numbers. */
@Injectable()
export class MetricsService {
  private readonly turns = new FairSemaphore(AT_ONCE);

  constructor(@Inject(CountsRepository) private readonly repository: CountsStore) {}

  /** @throws ApiError 422, also for more rows than one answer may have */
  async metrics(accountId: string, query: MetricsQueryDto): Promise<EmailMetricsDto> {
    const done = await this.turns.acquire(accountId);
    try {
      const now = await this.repository.now();
      const request = toMetricsRequest(query, now);
      return toEmailMetrics(request, await this.count(accountId, request), now);
    } finally {
      done();
    }
  }

  private async count(accountId: string, request: MetricsRequest): Promise<CountRow[]> {
    const { from, until, granularity, timezone: timeZone, dimensions, domainIds, emailIds, broadcastIds } = request;
    // No email can match these.
    if (domainIds || broadcastIds) return [];
    const email = dimensions.includes('email');
    const by = {
      ofEmails: email || emailIds !== undefined,
      period: dimensions.includes('period'),
      domain: dimensions.includes('domain'),
      email,
    };
    const question = { accountId, from, until, by, unit: UNITS[granularity], timeZone, emailIds };
    const rows = await this.repository.count(question, MAX_ROWS + 1, PATIENCE).catch((error: unknown) => {
      if (error instanceof TooSlowError) throw tooManyRows();
      if (isDataError(error)) throw unknownTimezone();
      throw error;
    });
    if (rows.length > MAX_ROWS) throw tooManyRows();
    return rows;
  }
}

function tooManyRows(): ApiError {
  return ApiError.invalid(
    'That is more than one answer may have. Ask for less time (`start_date`), fewer `dimensions`, or single emails (`email_id`).',
  );
}
