import { All, Controller, Get } from '@nestjs/common';
import { ApiError } from 'nestjs-emails';
import { OK, type Readiness, ReadinessService } from './readiness.service.js';

/** For load balancers and supervisors; needs no token and tells nothing about anybody. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The process runs and answers. */
  @Get('live')
  live() {
    return { status: OK };
  }

  /** What the process needs answers too. */
  @Get('ready')
  async ready(): Promise<{ status: string; checks: Readiness }> {
    const checks = await this.readiness.check();
    const reasons = Object.entries(checks).filter(([, finding]) => finding !== OK);
    if (reasons.length > 0) {
      const text = reasons.map(([name, reason]) => `${name}: ${reason}`).join('; ');
      throw new ApiError(503, 'service_unavailable', `Not ready: ${text}.`, { 'retry-after': '5' });
    }
    return { status: OK, checks };
  }

  @All(['live', 'ready'])
  other(): never {
    throw ApiError.methodNotAllowed(['GET']);
  }
}
