import type { EmailsOptions } from 'nestjs-emails';
import { ALARM_ACCOUNT } from './alarm-account.js';
import type { Settings } from './settings.js';

/** Options of emails in the settings; the library decides the others. */
export function emailsOptions(settings: Settings): Omit<EmailsOptions, 'transport'> {
  const { requireContent, search, publicUrl, dkim, contentRetention, eventRetention, retrySchedule, sweepInterval } =
    settings;
  const { quotaPerDay: perDay, quotaPerMonth: perMonth, recipientsPerMessage, onlyTo, redirectAllTo } = settings;
  return {
    requireContent,
    recipientsPerMessage: recipientsPerMessage === '1' ? 1 : recipientsPerMessage,
    search,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(dkim === 'relay' && { dkim }),
    ...((perDay !== undefined || perMonth !== undefined) && {
      quota: {
        perDay: (accountId) => (accountId === ALARM_ACCOUNT ? undefined : perDay),
        perMonth: (accountId) => (accountId === ALARM_ACCOUNT ? undefined : perMonth),
      },
    }),
    retention: {
      ...(contentRetention !== undefined && { content: contentRetention }),
      ...(eventRetention !== undefined && { events: eventRetention }),
    },
    delivery: {
      ...(retrySchedule !== undefined && { retrySchedule }),
      ...(sweepInterval !== undefined && { sweepInterval }),
      ...(onlyTo !== undefined && { onlyTo }),
      ...(redirectAllTo !== undefined && { redirectAllTo }),
    },
  };
}
