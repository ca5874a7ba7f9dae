import type { Report } from '../report.js';
import type { ReportMail } from '../report-mail.js';

/**
 * Recognises one dialect of reports. A new dialect is one file, named in `recognisers/index.ts`.
 *
 * @returns the findings, one per recipient; undefined when the message is not of this dialect
 */
export type Recogniser = (mail: ReportMail) => readonly Report[] | undefined;
