import { type DynamicModule, Module } from '@nestjs/common';
import { checkOptions } from '../emails/emails.options.check.js';
import type { EmailsOptions } from '../emails/emails.options.js';
import { acceptance } from '../emails/emails.providers.js';
import { EmailsService } from '../emails/emails.service.js';
import { ATTACHMENT_STORAGE, EMAILS_OPTIONS } from '../emails/emails.tokens.js';
import { DeliveryQueue } from '../emails/queue/delivery-queue.js';
import { AttachmentFetcher } from '../emails/send/attachments/attachment-fetcher.js';
import { AnswerRepository } from '../emails/storage/answer.repository.js';
import { AttachmentRepository } from '../emails/storage/attachment.repository.js';
import { ChangeRepository } from '../emails/storage/change.repository.js';
import { CountsRepository, type CountsStore } from '../emails/storage/counts.repository.js';
import { EmailRepository } from '../emails/storage/email.repository.js';
import { ErasureRepository } from '../emails/storage/erasure.repository.js';
import { TimelineRepository } from '../emails/storage/timeline.repository.js';
import { MemoryAnswers } from './memory-answers.js';
import { MemoryAttachmentStorage } from './memory-attachment-storage.js';
import { MemoryAttachments } from './memory-attachments.js';
import { MemoryEmails } from './memory-emails.js';
import { MemoryErasures } from './memory-erasures.js';
import { MemoryTimeline } from './memory-timeline.js';
import { SentEmails } from './sent-emails.js';

/** Nobody delivers, so that there is nothing to count. */
const nothing: CountsStore = { now: async () => Date.now(), count: async () => [] };

/** What decides about acceptance; the rest of `EmailsOptions` has no meaning without delivery. */
export type EmailsTestingOptions = Pick<EmailsOptions, 'topicPolicy' | 'templateSource' | 'idempotency'>;

/** Links that lead nowhere. */
const LINKS = { secretKeys: ['a secret of no value, for tests only'], publicUrl: 'https://emails.test' };

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
        { provide: EMAILS_OPTIONS, useValue: { ...LINKS, ...options } },
        SentEmails,
        MemoryAttachmentStorage,
        { provide: ATTACHMENT_STORAGE, useExisting: MemoryAttachmentStorage },
        { provide: AttachmentFetcher, useValue: { fetch: async () => ({ content: Buffer.alloc(0) }) } },
        { provide: DeliveryQueue, useValue: { wake: () => {}, forget: () => {} } },
        {
          provide: AttachmentRepository,
          inject: [SentEmails],
          useFactory: (sent: SentEmails) => new MemoryAttachments(sent),
        },
        { provide: ErasureRepository, useClass: MemoryErasures },
        {
          provide: EmailRepository,
          inject: [SentEmails, MemoryAttachmentStorage],
          useFactory: (sent: SentEmails, attachments: MemoryAttachmentStorage) => new MemoryEmails(sent, attachments),
        },
        { provide: ChangeRepository, useExisting: EmailRepository },
        {
          provide: TimelineRepository,
          inject: [EmailRepository],
          useFactory: (emails: MemoryEmails) => new MemoryTimeline(emails),
        },
        { provide: CountsRepository, useValue: nothing },
        {
          provide: AnswerRepository,
          inject: [EmailRepository],
          useFactory: (emails: MemoryEmails) => new MemoryAnswers(emails),
        },
      ],
      exports: [EmailsService, SentEmails],
    };
  }
}
