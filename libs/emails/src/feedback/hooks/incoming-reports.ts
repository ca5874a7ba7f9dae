import type { IncomingReport } from '../incoming/incoming-report.js';
import type { IncomingResult } from '../incoming/incoming-reports.service.js';

/** Receiver of what relays report. */
export interface IncomingReports {
  /** Resolves after the commit. A report that came before changes nothing. @throws ApiError 503 when the database is away */
  record(report: IncomingReport): Promise<IncomingResult>;
}

/** Injection token of `IncomingReports`. */
export const INCOMING_REPORTS = Symbol('nestjs-emails incoming reports');
