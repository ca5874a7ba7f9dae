import { readReport } from '../reports/read-report.js';
import type { Report } from '../reports/report.js';
import { type ToVerify, type Verdict, verifySignatures } from './verify-signatures.js';

/** A task of the thread of reports: to read one, or to verify its signatures. */
export type ReportTask = { read: Uint8Array } | { verify: ToVerify };

/** Does a task. */
export function reportWork(task: ReportTask): Promise<Report[] | Verdict> {
  return 'read' in task ? readReport(task.read) : verifySignatures(task.verify);
}
