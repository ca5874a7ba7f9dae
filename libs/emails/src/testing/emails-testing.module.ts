import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EmailActionWorker } from '../emails/actions/email-action.worker.js';
import { ChangeService } from '../emails/change/change.service.js';
import { DeliveryDrain } from '../emails/change/delivery-drain.js';
import { PausesService } from '../emails/change/pauses.service.js';
import { ReportService } from '../emails/change/report.service.js';
import { RecipientPolicies } from '../emails/deliver/recipient-policies.js';
import { checkOptions } from '../emails/emails.options.check.js';
import type { EmailsOptions } from '../emails/emails.options.js';
import { acceptance, provide } from '../emails/emails.providers.js';
import { EmailsService } from '../emails/emails.service.js';
import { EMAILS_OPTIONS, WHOLE_OPTIONS } from '../emails/emails.tokens.js';
import type { EmailsFeature } from '../emails/features/emails-feature.js';
import { type BroughtPort, portsOf, wholeOptions } from '../emails/features/feature-ports.js';
import { broughtRules, featuresRule, listOf } from '../emails/features/features.rule.js';
import { EmailEventMethods } from '../emails/observation/email-event-methods.js';
import { EventAnnouncer } from '../emails/observation/event-announcer.js';
import { ATTACHMENT_STORAGE } from '../emails/ports/attachment-storage.js';
import { DeliveryQueue } from '../emails/queue/delivery-queue.js';
import { EmailsHealthIndicator } from '../emails/read/emails-health.indicator.js';
import { AttachmentFetcher } from '../emails/send/attachments/attachment-fetcher.js';
import { senderPoliciesOf } from '../emails/send/bound-keys.policy.js';
import { ResendService } from '../emails/send/resend/resend.service.js';
import { AnswerRepository } from '../emails/storage/accept/answer.repository.js';
import { EmailsRepository } from '../emails/storage/accept/emails.repository.js';
import { QuotaRepository } from '../emails/storage/accept/quota.repository.js';
import { Transactions } from '../emails/storage/accept/transactions.js';
import { ActionRepository } from '../emails/storage/actions/action.repository.js';
import { ChangeRepository } from '../emails/storage/deliver/change.repository.js';
import { PauseRepository } from '../emails/storage/deliver/pause.repository.js';
import { ErasureRepository } from '../emails/storage/erase/erasure.repository.js';
import { AttachmentRepository } from '../emails/storage/read/attachment.repository.js';
import { CountsRepository, type CountsStore } from '../emails/storage/read/counts.repository.js';
import { TimelineRepository } from '../emails/storage/read/timeline.repository.js';
import { CORE_OPTIONS } from '../shared/features/feature.js';
import { sqlOf, type Transaction } from '../shared/rows/sql-transaction.js';
import { AwaitedAnnouncer } from './awaited-announcer.js';
import { MemoryActions } from './memory-actions.js';
import { MemoryAnswers } from './memory-answers.js';
import { MemoryAttachmentStorage } from './memory-attachment-storage.js';
import { MemoryAttachments } from './memory-attachments.js';
import { MemoryDelivery } from './memory-delivery.js';
import { MemoryEmails } from './memory-emails.js';
import { MemoryErasures } from './memory-erasures.js';
import { MemoryPauses } from './memory-pauses.js';
import { MemoryQuotas } from './memory-quotas.js';
import { MemorySuppressions } from './memory-suppressions.js';
import { MemoryTimeline } from './memory-timeline.js';
import { SentEmails } from './sent-emails.js';
import { TestMailboxes } from './test-mailboxes.js';

/** Nothing is delivered, so there is nothing to count. */
const nothing: CountsStore = { now: async () => Date.now(), count: async () => [] };

/** Options that decide about acceptance and recipients, and listeners; the rest of `EmailsOptions` has no meaning here. */
export interface EmailsTestingOptions
  extends Pick<
    EmailsOptions,
    | 'topicPolicy'
    | 'senderPolicies'
    | 'domainDirectory'
    | 'recipientPolicies'
    | 'templateSource'
    | 'eventListeners'
    | 'idempotency'
    | 'search'
  > {
  /** Features whose providers need no database. Their ports are used; routes are not mounted. Default: none. */
  features?: readonly EmailsFeature[];
}

const IDLE = { due: async () => ({ count: 0, oldestAge: 0 }) };

/** Base address of links without a target. */
const LINKS = { secretKeys: ['a secret of no value, for tests only'], publicUrl: 'https://emails.test' };

/**
 * `EmailsService` with the real rules, and no database, queue, network or routes. Import it in place of `EmailsModule`,
 * send through `EmailsService`, and read the sent emails from `SentEmails`.
 *
 * @example
 * ```ts
 * const app = await Test.createTestingModule({ imports: [EmailsTestingModule.register()], providers: [Greeter] }).compile();
 * await app.get(Greeter).welcome('jane@example.com');
 * app.get(SentEmails).only().subject;
 * ```
 */
@Module({})
export class EmailsTestingModule {
  /** `options`: what the host's own module is given, where the test needs it. */
  static register(given: EmailsTestingOptions = {}): DynamicModule {
    const { features = [], ...options } = given;
    const check = (whole: Partial<EmailsOptions>) => checkOptions('EmailsTestingModule', whole);
    const brought = broughtRules(['topicPolicy', 'templateSource', 'domainDirectory'], listOf(features));
    checkOptions('EmailsTestingModule', given, { features: featuresRule, ...brought });
    const ports = features.map(portsOf);
    const modules = features.map((feature, at) => moduleOf(feature, ports[at]));
    return {
      module: EmailsTestingModule,
      global: true,
      imports: [...modules, DiscoveryModule],
      providers: [
        ...acceptance,
        ...recipients,
        { provide: EMAILS_OPTIONS, useValue: { ...LINKS, ...options } },
        { provide: CORE_OPTIONS, useExisting: EMAILS_OPTIONS },
        wholeOptions(WHOLE_OPTIONS, EMAILS_OPTIONS, ports.flat(), check),
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
        { provide: PauseRepository, useClass: MemoryPauses },
        { provide: QuotaRepository, inject: [SentEmails], useFactory: (sent: SentEmails) => new MemoryQuotas(sent) },
        {
          provide: EmailsRepository,
          inject: [SentEmails, MemoryAttachmentStorage],
          useFactory: (sent: SentEmails, attachments: MemoryAttachmentStorage) => new MemoryEmails(sent, attachments),
        },
        { provide: ChangeRepository, useExisting: EmailsRepository },
        {
          provide: TimelineRepository,
          inject: [EmailsRepository],
          useFactory: (emails: MemoryEmails) => new MemoryTimeline(emails),
        },
        { provide: CountsRepository, useValue: nothing },
        { provide: Transactions, useValue: { join } },
        {
          provide: EmailsHealthIndicator,
          inject: [PausesService],
          useFactory: (pauses: PausesService) => new EmailsHealthIndicator(IDLE, [], [], pauses),
        },
        {
          provide: DeliveryDrain,
          inject: [EmailsRepository],
          useFactory: (emails: MemoryEmails) => ({ drain: async () => ({ inProgress: 0, due: emails.due().length }) }),
        },
        {
          provide: AnswerRepository,
          inject: [EmailsRepository],
          useFactory: (emails: MemoryEmails) => new MemoryAnswers(emails),
        },
        {
          provide: ActionRepository,
          inject: [EmailsRepository, AnswerRepository],
          useFactory: (emails: MemoryEmails, answers: MemoryAnswers) => new MemoryActions(emails, answers),
        },
        {
          provide: EmailActionWorker,
          inject: [ActionRepository, ChangeService, ResendService],
          useFactory: (actions: MemoryActions, changes: ChangeService, resends: ResendService) =>
            new EmailActionWorker(actions, changes, resends),
        },
      ],
      exports: [EmailsService, EmailsHealthIndicator, SentEmails, TestMailboxes, CORE_OPTIONS, ...modules],
    };
  }
}

/** The recipients' side. */
const recipients = [
  MemorySuppressions,
  provide(AwaitedAnnouncer, [MemorySuppressions], ({ eventListeners }, suppressions: MemorySuppressions) => {
    const announcer = new AwaitedAnnouncer([]);
    for (const listener of [suppressions, ...(eventListeners ?? [])]) announcer.listen(listener);
    return announcer;
  }),
  { provide: EventAnnouncer, useExisting: AwaitedAnnouncer },
  EmailEventMethods,
  provide(
    MemoryDelivery,
    [EmailsRepository, PauseRepository, EventAnnouncer, ReportService, MemorySuppressions],
    (
      { topicPolicy, recipientPolicies = [], senderPolicies, domainDirectory },
      emails: MemoryEmails,
      pauses: MemoryPauses,
      announcer: EventAnnouncer,
      reports: ReportService,
      suppressions: MemorySuppressions,
    ) => {
      const senders = senderPoliciesOf({ senderPolicies, domainDirectory });
      const policies = new RecipientPolicies(topicPolicy, [suppressions, ...recipientPolicies], senders);
      return new MemoryDelivery(emails, pauses, policies, announcer, reports);
    },
  ),
  {
    provide: TestMailboxes,
    inject: [MemoryDelivery, MemorySuppressions, AwaitedAnnouncer, EmailEventMethods],
    useFactory: (
      delivery: MemoryDelivery,
      suppressions: MemorySuppressions,
      announcer: AwaitedAnnouncer,
      methods: EmailEventMethods,
    ) => new TestMailboxes(delivery, suppressions, announcer, methods),
  },
];

/** A module of its own, so that two features may name their providers alike. */
function moduleOf({ imports = [], providers = [], exports = [] }: EmailsFeature, ports: readonly BroughtPort[] = []) {
  @Module({})
  class TestedFeatureModule {}
  return {
    module: TestedFeatureModule,
    imports: [...(imports as NonNullable<DynamicModule['imports']>)],
    providers: [...providers, ...ports],
    exports: [...exports, ...ports.map(({ provide }) => provide)],
  };
}

/** Refuses what is no transaction anywhere; whether one is open only a database says. */
async function join(transaction: Transaction): Promise<Transaction> {
  sqlOf(transaction);
  return transaction;
}
