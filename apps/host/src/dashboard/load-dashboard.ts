import type { DynamicModule } from '@nestjs/common';
import type { Infrastructure } from '../bootstrap/infrastructure.js';
import type { Settings } from '../config/settings.js';

/** The page, loaded only if it is enabled. */
export async function loadDashboard(
  settings: Settings,
  { secretKeys, inbox }: Infrastructure,
): Promise<DynamicModule[]> {
  const { role, dashboardPath: path } = settings;
  if (role === 'worker' || path === undefined) return [];
  const { DashboardModule } = await import('./dashboard.module.js');
  return [DashboardModule.register({ path, settings, secretKeys, inbox })];
}
