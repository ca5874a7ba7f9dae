import { type DynamicModule, Module } from '@nestjs/common';
import { EmailsService } from 'nestjs-emails';
import type { Logger } from 'pino';
import type { Settings } from '../../config/settings.js';
import type { AlarmChannels } from './alarm-channels.js';
import { AlarmMail } from './alarm-mail.js';

const MAIL = Symbol('mail of alarms');

/** Adds the channel by email: only the application has the service that it sends with. */
@Module({})
export class AlarmsModule {
  /** @param settings with at least one address in `alarmTo` */
  static register({ alarmTo, alarmFrom }: Settings, channels: AlarmChannels, logger: Logger): DynamicModule {
    const from = alarmFrom ?? (alarmTo[0] as string);
    const mail = {
      provide: MAIL,
      inject: [EmailsService],
      useFactory: (emails: EmailsService) => {
        const channel = new AlarmMail(alarmTo, from, emails, logger);
        channels.add(channel);
        return channel;
      },
    };
    return { module: AlarmsModule, providers: [mail] };
  }
}
