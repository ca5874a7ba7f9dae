export { EmailsDashboardModule } from './dashboard.module.js';
export type { EmailsDashboardExtras, EmailsDashboardOptions } from './dashboard.options.js';
export type {
  DashboardInbox,
  InboxHint,
  InboxMessage,
  InboxRelease,
  ReleasedRecipient,
} from './inbox/dashboard-inbox.js';
export type { InboxSignature, InboxSignatures } from './inbox/inbox-signatures.js';
export type {
  DashboardOperations,
  NextHopReport,
  OperationsReport,
  PausedReport,
  PauseReport,
  TransportReport,
} from './operations/dashboard-operations.js';
export { DashboardSignIn } from './session/dashboard-sign-in.js';
export type {
  DashboardDegradation,
  DashboardPause,
  DashboardStaging,
  DashboardStatus,
} from './status/dashboard-status.js';
