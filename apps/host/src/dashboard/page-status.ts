import type { ModuleRef } from '@nestjs/core';
import { EmailsNextHop } from 'nestjs-emails';
import type { DashboardStatus } from 'nestjs-emails-dashboard';

/** Says if mail is late, for the banner of the page. */
export function pageStatus(moduleRef: ModuleRef): DashboardStatus {
  return async () => {
    const late = await moduleRef.get(EmailsNextHop, { strict: false }).degradation();
    return late && { ...late, since: late.since.toISOString() };
  };
}
