import { All, Controller, Get, Header, UseGuards } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { AdminGuard } from '../admin/admin.guard.js';
import { BacklogMetrics } from './backlog-metrics.service.js';
import { Metrics } from './metrics.js';

/** For Prometheus, in its text format. */
@Controller('metrics')
@UseGuards(AdminGuard)
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly backlog: BacklogMetrics,
  ) {}

  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  async read(): Promise<string> {
    await this.backlog.refresh();
    return this.metrics.registry.metrics();
  }

  @All()
  other(): never {
    throw ApiError.methodNotAllowed(['GET']);
  }
}
