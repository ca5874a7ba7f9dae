import { Module } from '@nestjs/common';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { EMAILS_CONNECTION, infrastructure } from './infrastructure.js';
import { newsletter } from './newsletter.feature.js';
import { settings } from './settings.js';

@Module({
  imports: [
    ...infrastructure,
    EmailsModule.forRoot({
      role: 'worker',
      queueConfigKey: EMAILS_CONNECTION,
      queueShards: settings.queueShards,
      features: [newsletter],
      transport: new SmtpTransport({ url: settings.smtpUrl, hop: settings.smtpHop }),
      delivery: { retrySchedule: settings.retrySchedule, sweepInterval: settings.sweepInterval },
    }),
  ],
})
export class WorkerModule {}
