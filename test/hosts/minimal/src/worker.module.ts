import { Module } from '@nestjs/common';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { accountOf } from './api-key.guard.js';
import { EMAILS_CONNECTION, infrastructure } from './infrastructure.js';
import { settings } from './settings.js';
import { Templates } from './templates.js';
import { Topics } from './topics.js';

@Module({
  imports: [
    ...infrastructure,
    EmailsModule.forRoot({
      role: 'worker',
      queueConfigKey: EMAILS_CONNECTION,
      accountResolver: { resolve: (request) => ({ accountId: accountOf(request), permission: 'full_access' }) },
      topicPolicy: new Topics(),
      templateSource: new Templates(),
      transport: new SmtpTransport({ url: settings.smtpUrl, hop: settings.smtpHop }),
      delivery: { retrySchedule: settings.retrySchedule },
    }),
  ],
})
export class WorkerModule {}
