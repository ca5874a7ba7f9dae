import { Inject, Injectable, Logger } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { isPassing } from '../../shared/errors/database-errors.js';
import { errorReport } from '../../shared/errors/error-report.js';
import { Semaphore } from '../../shared/work/semaphore.js';
import type { IncomingReport } from '../incoming/incoming-report.js';
import { INCOMING_REPORTS, type IncomingReports } from './incoming-reports.js';

/** Reports that a process records at once. Each needs a connection to the database, most of which are for others. */
const AT_ONCE = 4;

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
   * @throws one of the failures
   */
  async record(reports: readonly IncomingReport[]): Promise<void> {
    const failures: unknown[] = [];
    const isAway = () => failures.filter(isTemporary).length >= AT_ONCE;
    const inOrder = async (group: readonly IncomingReport[]) => {
      for (const report of group) {
        if (isAway()) return;
        await this.incoming.record(report);
      }
    };
    const fail = (error: unknown) => void failures.push(error);
    await Promise.all(byEmail(reports).map((group) => this.turns.run(() => inOrder(group)).catch(fail)));
    const [first, ...others] = failures.toSorted((one, other) => Number(isTemporary(other)) - Number(isTemporary(one)));
    for (const error of others) if (!isTemporary(error)) this.logger.error(errorReport(error));
    if (failures.length > 0) throw first;
  }
}

/** True when the same report may succeed later. */
function isTemporary(error: unknown): boolean {
  return isPassing(error) || (error instanceof ApiError && error.statusCode === 503);
}

function byEmail(reports: readonly IncomingReport[]): IncomingReport[][] {
  const groups = new Map<string, IncomingReport[]>();
  for (const report of reports) {
    const key = report.token ?? report.emailId ?? report.messageId ?? report.relayId ?? '';
    const group = groups.get(key);
    if (group) group.push(report);
    else groups.set(key, [report]);
  }
  return [...groups.values()];
}
