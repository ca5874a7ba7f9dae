import type { StagingSwitch } from 'nestjs-emails';
import type { DashboardStaging } from './dashboard-status.js';

/** Null while the switch is off, and where the host has none. */
export function stagingOf(found: Pick<StagingSwitch, 'onlyTo' | 'redirectAllTo'> | undefined): DashboardStaging | null {
  const only_to = found?.onlyTo ?? null;
  const redirect_all_to = found?.redirectAllTo ?? null;
  return only_to || redirect_all_to ? { only_to, redirect_all_to } : null;
}
