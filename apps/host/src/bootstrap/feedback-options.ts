import type { FeedbackOptions } from 'nestjs-emails/feedback';
import { ALARM_ACCOUNT } from '../config/alarm-account.js';
import { hooksOptions } from '../config/hooks-options.js';
import type { Settings } from '../config/settings.js';
import { isSuppressed } from '../embedded/inbox/recipient-answers.js';
import type { Infrastructure } from './infrastructure.js';

/** The domain to which the local inbox sends its reports. */
const DEVELOPMENT = 'bounces.test';

/** Options of reports: those of the settings, and for the local inbox a listener on this machine. */
export function feedbackOptions(
  settings: Settings,
  { inbox, secretKeys }: Pick<Infrastructure, 'inbox' | 'secretKeys'>,
): FeedbackOptions {
  const { bounceDomain, bounceSmtpPort: port, feedbackAddresses, feedbackSenders, onReputation } = settings;
  const common = {
    ...hooksOptions(settings),
    onReputation,
    exemptAccounts: [ALARM_ACCOUNT],
    ...(inbox && { isSuppressed }),
  };
  if (inbox && bounceDomain === undefined && port === undefined && secretKeys.length > 0) {
    return {
      ...common,
      bounceDomain: DEVELOPMENT,
      listener: {
        port: 0,
        host: '127.0.0.1',
        feedbackAddresses: [`fbl@${DEVELOPMENT}`],
        feedbackSenders: 'anyone',
      },
    };
  }
  return {
    ...common,
    ...(bounceDomain !== undefined && { bounceDomain }),
    ...(port !== undefined && { listener: { port, feedbackAddresses, feedbackSenders } }),
  };
}
