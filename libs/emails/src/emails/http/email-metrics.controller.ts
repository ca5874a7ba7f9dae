import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Get } from '@nestjs/common';
import { accountOf } from '../../shared/callers/caller.js';
import { resourceLists } from '../../shared/http/large-answers.js';
import { queryOf, repeated, single } from '../../shared/http/query.js';
import { MetricsService } from '../read/metrics/metrics.service.js';
import type { MetricsRecord } from '../read/metrics/metrics-record.js';

/** Bytes of the largest answer. */
const MAX_ANSWER = 5_000_000;

/** How much became of what an account sent. */
@Controller('emails/metrics')
export class EmailMetricsController {
  constructor(private readonly service: MetricsService) {}

  @Get()
  async metrics(request: IncomingMessage, response: ServerResponse): Promise<MetricsRecord> {
    const accountId = accountOf(request);
    const query = queryOf(request.url ?? '');
    const dimensions = repeated(query, 'dimensions');
    const asked = {
      start_date: single(query, 'start_date'),
      end_date: single(query, 'end_date'),
      timezone: single(query, 'timezone'),
      granularity: single(query, 'granularity'),
      metrics: repeated(query, 'metrics'),
      dimensions,
      domain_id: repeated(query, 'domain_id'),
      email_id: repeated(query, 'email_id'),
      broadcast_id: repeated(query, 'broadcast_id'),
    };
    // Totals alone are small.
    if (dimensions) await resourceLists.makeRoom(MAX_ANSWER, accountId, response);
    return this.service.metrics(accountId, asked);
  }
}
