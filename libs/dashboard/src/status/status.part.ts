import { ApiError } from 'nestjs-emails';
import { answerJson } from '../http/answers.js';
import type { Part, Visit } from '../http/visit.js';
import type { Visitors } from '../session/visitors.js';
import type { DashboardStaging, DashboardStatus } from './dashboard-status.js';

/** `{path}/status`: whether mail is late, and the staging switch, for signed-in visitors. */
export class StatusPart implements Part {
  constructor(
    private readonly status: DashboardStatus | undefined,
    private readonly staging: DashboardStaging | null,
    private readonly visitors: Visitors,
  ) {}

  async handle({ path, method, request, response }: Visit): Promise<boolean> {
    if (path !== 'status') return false;
    await this.visitors.admit(request, response, 'viewer');
    if (method !== 'GET') throw ApiError.methodNotAllowed(['GET']);
    answerJson(response, { degraded: (await this.status?.()) ?? null, staging: this.staging });
    return true;
  }
}
