import { Module } from '@nestjs/common';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { ApiKeyGuard, accountOf } from './api-key.guard.js';
import { EMAILS_CONNECTION, infrastructure } from './infrastructure.js';
import { LettersController } from './letters/letters.controller.js';
import { newsletter } from './newsletter.feature.js';
import { settings } from './settings.js';
import { SubscribersController } from './subscribers/subscribers.controller.js';

@Module({
  imports: [
    ...infrastructure,
    EmailsModule.forRootAsync({
      features: [newsletter],
      guards: [ApiKeyGuard],
      role: settings.role,
      queueConfigKey: EMAILS_CONNECTION,
      queueShards: settings.queueShards,
      useFactory: () => ({
        accountResolver: { resolve: (request) => ({ accountId: accountOf(request), permission: 'full_access' }) },
        transport: new SmtpTransport({ url: settings.smtpUrl, hop: settings.smtpHop }),
        delivery: { retrySchedule: settings.retrySchedule, sweepInterval: settings.sweepInterval },
      }),
    }),
  ],
  controllers: [LettersController, SubscribersController],
})
export class AppModule {}
