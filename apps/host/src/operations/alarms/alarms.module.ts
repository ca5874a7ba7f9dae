import { type DynamicModule, Module } from '@nestjs/common';
import { EmailsService } from 'nestjs-emails';
import { AccountsService } from 'nestjs-emails/access';
import type { Settings } from '../../config/settings.js';
import type { AlarmChannels } from './alarm-channels.js';
import { AlarmMail } from './alarm-mail.js';

const MAIL = Symbol('mail of alarms');

/** Adds the channel by email: only the application has what it sends with. */
@Module({})
export class AlarmsModule {
  static register({ alarmTo, alarmFrom }: Settings, channels: AlarmChannels): DynamicModule {
    const [first] = alarmTo;
    const mail = {
      provide: MAIL,
      inject: [EmailsService, AccountsService],
      useFactory: (emails: EmailsService, accounts: AccountsService) => {
        if (first !== undefined) channels.add(new AlarmMail(alarmTo, alarmFrom ?? first, emails, accounts));
      },
    };
    return { module: AlarmsModule, providers: [mail] };
  }
}
