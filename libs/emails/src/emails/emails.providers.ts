import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import type { EmailsOptions } from './emails.options.js';
import { EmailsService } from './emails.service.js';
import { ATTACHMENT_STORAGE, EMAILS_OPTIONS } from './emails.tokens.js';
import { EventAnnouncer } from './observation/event-announcer.js';
import { Observation } from './observation/observation.js';
import type { AttachmentStorage } from './ports/attachment-storage.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { ListingService } from './read/listing.service.js';
import { type AcceptanceRules, AcceptanceService } from './send/acceptance.service.js';
import { AfterCommit } from './send/after-commit.js';
import { AnswersService } from './send/answers/answers.service.js';
import { AttachmentFetcher } from './send/attachments/attachment-fetcher.js';
import { AttachmentResolver } from './send/attachments/attachment-resolver.js';
import { BatchService } from './send/batch/batch.service.js';
import { EmailComposer } from './send/email-composer.js';
import { ResendService } from './send/resend/resend.service.js';
import { AnswerRepository } from './storage/answer.repository.js';
import { EmailRepository } from './storage/email.repository.js';

const DAY = 86_400_000;
const MESSAGE_LIMIT = 40_000_000;

/** From a request to a written email and back: what every role has, and the testing module with other ground below. */
export const acceptance: Provider[] = [
  provide(Observation, [], ({ observers }) => new Observation(observers ?? [])),
  provide(EventAnnouncer, [], ({ eventListeners }) => new EventAnnouncer(eventListeners ?? [])),
  provide(
    AttachmentFetcher,
    [],
    ({ fetch, http }) =>
      new AttachmentFetcher({
        ports: fetch?.ports ?? [80, 443],
        timeout: fetch?.timeout ?? 10_000,
        maxBytes: http?.messageLimit ?? MESSAGE_LIMIT,
        allowedHosts: fetch?.allowedHosts ?? [],
      }),
  ),
  provide(
    AttachmentResolver,
    [ATTACHMENT_STORAGE, AttachmentFetcher],
    ({ http, fetch }, attachments: AttachmentStorage, fetcher: AttachmentFetcher) =>
      new AttachmentResolver(attachments, fetcher, {
        message: http?.messageLimit ?? MESSAGE_LIMIT,
        fetchTime: fetch?.requestTimeout ?? 30_000,
      }),
  ),
  provide(EmailComposer, [], ({ templateSource, topicPolicy }) => new EmailComposer(templateSource, topicPolicy)),
  provide(
    AfterCommit,
    [DeliveryQueue, EventAnnouncer, Observation],
    (_, queue: DeliveryQueue, announcer: EventAnnouncer, observation: Observation) =>
      new AfterCommit(queue, announcer, observation),
  ),
  provide(
    AcceptanceService,
    [EmailRepository, EmailComposer, AttachmentResolver, AfterCommit],
    (
      options,
      repository: EmailRepository,
      composer: EmailComposer,
      resolver: AttachmentResolver,
      afterCommit: AfterCommit,
    ) => new AcceptanceService(repository, composer, resolver, afterCommit, rulesOf(options)),
  ),
  provide(
    AnswersService,
    [AnswerRepository, AfterCommit],
    (options, repository: AnswerRepository, afterCommit: AfterCommit) =>
      new AnswersService(repository, afterCommit, rulesOf(options)),
  ),
  provide(
    BatchService,
    [AnswersService, EmailComposer, AttachmentResolver],
    (_, answers: AnswersService, composer: EmailComposer, resolver: AttachmentResolver) =>
      new BatchService(answers, composer, resolver),
  ),
  provide(
    ResendService,
    [AnswersService, AnswerRepository],
    (_, answers: AnswersService, repository: AnswerRepository) => new ResendService(answers, repository),
  ),
  provide(ListingService, [EmailRepository], (_, repository: EmailRepository) => new ListingService(repository)),
  EmailsService,
];

function rulesOf({ idempotency }: EmailsOptions): AcceptanceRules {
  return { idempotencyRetention: idempotency?.retention ?? DAY };
}

/** A provider made from the options and other providers. */
export function provide<T, Args extends unknown[]>(
  token: Type<T>,
  inject: FactoryProvider['inject'],
  useFactory: (options: EmailsOptions, ...args: Args) => T,
): FactoryProvider<T> {
  return { provide: token, inject: [EMAILS_OPTIONS, ...(inject ?? [])], useFactory } as FactoryProvider<T>;
}
