import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../shared/errors/api-error.js';
import { isDataError } from '../../../shared/errors/database-errors.js';
import { FairSemaphore } from '../../../shared/work/fair-semaphore.js';
import type { CountRow, CountsStore } from '../../storage/counts.repository.js';
import { TooSlowError } from '../../storage/read-within.js';
import { type MetricsQuery, type MetricsRequest, toMetricsRequest, unknownTimezone } from './metrics-query.js';
import { type MetricsRecord, toMetricsRecord } from './metrics-record.js';

/** Milliseconds that PostgreSQL works on an answer. */
const PATIENCE = 2_000;
/** Rows of an answer. Each takes half a kilobyte. */
const MAX_ROWS = 10_000;
/** Questions of a process that PostgreSQL works on at a time, half of them for one account: others need connections too. */
const AT_ONCE = 4;

const UNITS = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month' } as const;

/** How much became of what an account sent. */
@Injectable()
export class MetricsService {
  private readonly turns = new FairSemaphore(AT_ONCE);

  constructor(private readonly repository: CountsStore) {}

  /** @throws ApiError 422, also for more than can be told at once */
  async metrics(accountId: string, query: MetricsQuery): Promise<MetricsRecord> {
    const done = await this.turns.take(accountId);
    try {
      const now = await this.repository.now();
      const request = toMetricsRequest(query, now);
      return toMetricsRecord(request, await this.count(accountId, request), now);
    } finally {
      done();
    }
  }

  private async count(accountId: string, request: MetricsRequest): Promise<CountRow[]> {
    const { from, until, granularity, timezone: timeZone, dimensions, domainIds, emailIds, broadcastIds } = request;
    // There are none of these.
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
      if (error instanceof TooSlowError) throw tooMuch();
      if (isDataError(error)) throw unknownTimezone();
      throw error;
    });
    if (rows.length > MAX_ROWS) throw tooMuch();
    return rows;
  }
}

function tooMuch(): ApiError {
  return ApiError.invalid(
    'That is more than can be told at once. Ask for less time (`start_date`), fewer `dimensions`, or single emails (`email_id`).',
  );
}
