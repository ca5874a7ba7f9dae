import { Module } from '@nestjs/common';
import { EmailsModule, SmtpTransport } from 'nestjs-emails';
import { ApiKeyGuard, accountOf } from './api-key.guard.js';
import { EMAILS_CONNECTION, infrastructure } from './infrastructure.js';
import { settings } from './settings.js';
import { SubscribersController } from './subscribers/subscribers.controller.js';
import { Templates } from './templates.js';
import { Topics } from './topics.js';

@Module({ providers: [Topics, Templates], exports: [Topics, Templates] })
class NewsletterModule {}

@Module({
  imports: [
    ...infrastructure,
    EmailsModule.forRootAsync({
      guards: [ApiKeyGuard],
      role: settings.role,
      queueConfigKey: EMAILS_CONNECTION,
      imports: [NewsletterModule],
      inject: [Topics, Templates],
      useFactory: (topicPolicy: Topics, templateSource: Templates) => ({
        accountResolver: { resolve: (request) => ({ accountId: accountOf(request), permission: 'full_access' }) },
        topicPolicy,
        templateSource,
        transport: new SmtpTransport({ url: settings.smtpUrl, hop: settings.smtpHop }),
        delivery: { retrySchedule: settings.retrySchedule },
      }),
    }),
  ],
  controllers: [SubscribersController],
})
export class AppModule {}
