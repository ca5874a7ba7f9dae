import { All, Controller, Get } from '@nestjs/common';
import { ApiError, EmailsService, StagingSwitch } from 'nestjs-emails';
import { type Readiness, ReadinessService } from './readiness.service.js';

/** For load balancers and supervisors; needs no token and contains no data of accounts. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly staging: StagingSwitch,
    private readonly emails: EmailsService,
  ) {}

  /** The process runs and answers. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  /** The process can do its work; its services answer too, else `degraded` with the reason. */
  @Get('ready')
  async ready(): Promise<Readiness> {
    const { status, checks } = await this.readiness.check();
    const { active: staging } = this.staging;
    if (status !== 'down') {
      // The database has just answered. If it is away by now, the next check says so.
      const paused = await this.emails.pausedParts().catch(() => []);
      return { status, checks, ...(staging.length > 0 && { staging }), ...(paused.length > 0 && { paused }) };
    }
    const reasons = Object.entries(checks).filter(([, finding]) => finding !== 'ok');
    const text = reasons.map(([name, reason]) => `${name}: ${reason}`).join('; ');
    throw new ApiError(503, 'application_error', `Not ready: ${text}.`, { 'retry-after': '5' });
  }

  @All(['live', 'ready'])
  other(): never {
    throw ApiError.methodNotAllowed(['GET']);
  }
}
