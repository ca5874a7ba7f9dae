import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../shared/callers/caller.js';
import { NeedsRole } from '../../shared/callers/page-role.js';
import { resourceLists } from '../../shared/http/large-answers.js';
import { CurrentCaller, RequestContext, RequestQuery } from '../../shared/routes/parameters.js';
import type { EmailMetricsDto } from '../read/metrics/email-metrics.dto.js';
import { MetricsService } from '../read/metrics/metrics.service.js';
import { MetricsQueryDto } from '../read/metrics/metrics-query.dto.js';

/** Limit of an answer. Bytes. */
const MAX_ANSWER = 5_000_000;

/** Outcomes of an account's emails, in numbers. */
@Controller('emails/metrics')
export class EmailMetricsController {
  constructor(private readonly service: MetricsService) {}

  @Get()
  @NeedsRole('viewer')
  async metrics(
    @CurrentCaller() { accountId }: Caller,
    @RequestQuery() query: MetricsQueryDto,
    @RequestContext() context: RequestContext,
  ): Promise<EmailMetricsDto> {
    // Totals alone are small.
    if (query.dimensions) await context.makeRoom(resourceLists, MAX_ANSWER);
    return this.service.metrics(accountId, query);
  }
}
