export { EmailsDashboardModule } from './dashboard.module.js';
export type { EmailsDashboardExtras, EmailsDashboardOptions } from './dashboard.options.js';
export { DashboardSignIn } from './session/dashboard-sign-in.js';
