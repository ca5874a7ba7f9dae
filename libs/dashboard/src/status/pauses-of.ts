import type { EmailsService } from 'nestjs-emails';
import type { DashboardPause } from './dashboard-status.js';

/** The pause that keeps all mail of an account; null without one. */
export type PauseOf = (accountId: string) => Promise<DashboardPause | null>;

/** Reads the pauses of all transports; undefined where the application has no emails. */
export function pausesOf(emails: Pick<EmailsService, 'pauses'> | undefined): PauseOf | undefined {
  if (!emails) return undefined;
  return async (accountId) => {
    const whole = (await emails.pauses()).filter(
      ({ topic, template, transport }) => topic === undefined && template === undefined && transport === undefined,
    );
    const found =
      whole.find(({ account }) => account === undefined) ?? whole.find(({ account }) => account === accountId);
    if (!found) return null;
    const { since, reason, account } = found;
    return { since: since.toISOString(), reason, what: account === undefined ? 'everything' : 'account' };
  };
}
