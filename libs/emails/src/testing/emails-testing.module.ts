import { type DynamicModule, Module } from '@nestjs/common';
import { checkOptions } from '../emails/emails.options.check.js';
import type { EmailsOptions } from '../emails/emails.options.js';
import { acceptance } from '../emails/emails.providers.js';
import { EmailsService } from '../emails/emails.service.js';
import { ATTACHMENT_STORAGE, EMAILS_OPTIONS } from '../emails/emails.tokens.js';
import { DeliveryQueue } from '../emails/queue/delivery-queue.js';
import { AttachmentFetcher } from '../emails/send/attachments/attachment-fetcher.js';
import { EmailRepository } from '../emails/storage/email.repository.js';
import { ErasureRepository } from '../emails/storage/erasure.repository.js';
import { MemoryAttachmentStorage } from './memory-attachment-storage.js';
import { MemoryEmails } from './memory-emails.js';
import { MemoryErasures } from './memory-erasures.js';
import { SentEmails } from './sent-emails.js';

/** What decides about acceptance; the rest of `EmailsOptions` has no meaning without delivery. */
export type EmailsTestingOptions = Pick<EmailsOptions, 'topicPolicy' | 'templateSource' | 'idempotency'>;

/**
 * `EmailsService` with the real rules, and no database, queue, network or routes. Import it in place of `EmailsModule`,
 * send through `EmailsService`, and ask `SentEmails` what was sent.
 */
@Module({})
export class EmailsTestingModule {
  /** `options`: what the host's own module is given, where the test needs it. */
  static register(options: EmailsTestingOptions = {}): DynamicModule {
    checkOptions('EmailsTestingModule', options);
    return {
      module: EmailsTestingModule,
      global: true,
      providers: [
        ...acceptance,
        { provide: EMAILS_OPTIONS, useValue: options },
        SentEmails,
        MemoryAttachmentStorage,
        { provide: ATTACHMENT_STORAGE, useExisting: MemoryAttachmentStorage },
        { provide: AttachmentFetcher, useValue: { fetch: async () => ({ content: Buffer.alloc(0) }) } },
        { provide: DeliveryQueue, useValue: { wake: () => {} } },
        { provide: ErasureRepository, useClass: MemoryErasures },
        {
          provide: EmailRepository,
          inject: [SentEmails, MemoryAttachmentStorage],
          useFactory: (sent: SentEmails, attachments: MemoryAttachmentStorage) => new MemoryEmails(sent, attachments),
        },
      ],
      exports: [EmailsService, SentEmails],
    };
  }
}
