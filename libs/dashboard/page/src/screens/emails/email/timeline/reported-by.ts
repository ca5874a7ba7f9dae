import type { EmailEvent } from '../../../../api/types';
import { TEXTS } from '../texts';

/** How a later report came, in words; undefined for other events. */
export function reportedBy({ source }: Pick<EmailEvent, 'source'>): string | undefined {
  const reports: Readonly<Record<string, string>> = TEXTS.reports;
  return Object.hasOwn(reports, source) ? reports[source] : undefined;
}
