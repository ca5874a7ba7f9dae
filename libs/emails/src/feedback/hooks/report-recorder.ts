import { Inject, Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { isPassing } from '../../shared/errors/database-errors.js';
import { errorReport } from '../../shared/errors/error-report.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import { INCOMING_REPORTS, type IncomingReports } from './incoming-reports.js';
import { isRecent } from './is-recent.js';
import type { RelayReport } from './relay-report.js';

/** Reports that a process records at once. Each needs a connection to the database, most of which are for others. */
const AT_ONCE = 4;
/** When a report that leads to no email yet is to come again. Seconds. */
const AGAIN = 20;

/** Records the reports of a request: those of one email in their order, several emails at once. */
@Injectable()
export class ReportRecorder {
  private readonly logger = new Logger(ReportRecorder.name);
  private readonly turns = new Semaphore(AT_ONCE);

  constructor(@Inject(INCOMING_REPORTS) private readonly incoming: IncomingReports) {}

  /**
   * Resolves when all are committed. A report that fails does not keep the others back: the relay sends the whole request
   * again for a while, then drops it. Only a database that seems to be away ends the work.
   *
   * @throws one of the failures, else ApiError 503 when a new report leads to no email: relays may name it by a reference
   * that is noted a moment after they accepted it, and the repeated report is older
   */
  async record(reports: readonly RelayReport[]): Promise<void> {
    const failures: unknown[] = [];
    let isEarly = false;
    const isAway = () => failures.filter(isTemporary).length >= AT_ONCE;
    const inOrder = async (group: readonly RelayReport[]) => {
      for (const report of group) {
        if (isAway()) return;
        const result = await this.incoming.record(report);
        isEarly ||= result === 'unmatched' && isNew(report);
      }
    };
    const fail = (error: unknown) => void failures.push(error);
    await Promise.all(byEmail(reports).map((group) => this.turns.run(() => inOrder(group)).catch(fail)));
    const [first, ...others] = failures.toSorted((one, other) => Number(isTemporary(other)) - Number(isTemporary(one)));
    for (const error of others) if (!isTemporary(error)) this.logger.error(errorReport(error));
    if (failures.length > 0) throw first;
    if (isEarly) throw tooEarly();
  }
}

/** True when the same report may succeed later. */
function isTemporary(error: unknown): boolean {
  return isPassing(error) || (error instanceof ApiError && error.statusCode === 503);
}

function isNew({ at }: RelayReport): boolean {
  return at !== undefined && isRecent(at, FEEDBACK_LIMITS.earlyReport.max);
}

function tooEarly(): ApiError {
  const message = 'A new report leads to no email yet. Send it again. The others are recorded.';
  return new ApiError(503, 'application_error', message, { 'retry-after': String(AGAIN) });
}

function byEmail(reports: readonly RelayReport[]): RelayReport[][] {
  const groups = new Map<string, RelayReport[]>();
  for (const report of reports) {
    const key = report.token ?? report.emailId ?? report.messageId ?? report.relayId ?? '';
    const group = groups.get(key);
    if (group) group.push(report);
    else groups.set(key, [report]);
  }
  return [...groups.values()];
}
