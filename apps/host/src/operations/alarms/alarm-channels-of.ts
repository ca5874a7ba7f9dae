import type { Logger } from 'pino';
import type { Settings } from '../../config/settings.js';
import { AlarmChannels } from './alarm-channels.js';
import { AlarmLog } from './alarm-log.js';
import { AlarmWebhook } from './alarm-webhook.js';

/** The channels of these settings, without the email. */
export function alarmChannelsOf(
  { alarmWebhookUrl, alarmWebhookSecret }: Pick<Settings, 'alarmWebhookUrl' | 'alarmWebhookSecret'>,
  logger: Logger,
): AlarmChannels {
  const webhook =
    alarmWebhookUrl === undefined || alarmWebhookSecret === undefined
      ? []
      : [new AlarmWebhook(alarmWebhookUrl, alarmWebhookSecret)];
  return new AlarmChannels([new AlarmLog(logger), ...webhook], logger);
}
