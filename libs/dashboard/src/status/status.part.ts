import { ApiError } from 'nestjs-emails';
import { answerJson } from '../http/answers.js';
import type { Part, Visit } from '../http/visit.js';
import type { Visitors } from '../session/visitors.js';
import type { DashboardStaging, DashboardStatus } from './dashboard-status.js';
import type { PauseOf } from './pauses-of.js';

/** `{path}/status`: whether mail is late or paused, and the staging switch, for signed-in visitors. */
export class StatusPart implements Part {
  constructor(
    private readonly status: DashboardStatus | undefined,
    private readonly staging: DashboardStaging | null,
    private readonly pauseOf: PauseOf | undefined,
    private readonly visitors: Visitors,
  ) {}

  async handle({ path, method, request, response }: Visit): Promise<boolean> {
    if (path !== 'status') return false;
    const { accountId } = await this.visitors.admit(request, response, 'viewer');
    if (method !== 'GET') throw ApiError.methodNotAllowed(['GET']);
    const [degraded = null, paused = null] = await Promise.all([this.status?.(), this.pauseOf?.(accountId)]);
    answerJson(response, { degraded, staging: this.staging, paused });
    return true;
  }
}
