import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { ErasureWorker } from './change/erasure.worker.js';
import { ErasuresService, type WokenWorker } from './change/erasures.service.js';
import type { EmailsOptions } from './emails.options.js';
import { EmailsService } from './emails.service.js';
import { ATTACHMENT_STORAGE, EMAILS_OPTIONS } from './emails.tokens.js';
import { EventAnnouncer } from './observation/event-announcer.js';
import { Observation } from './observation/observation.js';
import type { AttachmentStorage } from './ports/attachment-storage.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { ListingService } from './read/listing.service.js';
import { AcceptanceService } from './send/acceptance.service.js';
import { AttachmentFetcher } from './send/attachments/attachment-fetcher.js';
import { AttachmentResolver } from './send/attachments/attachment-resolver.js';
import { EmailRepository } from './storage/email.repository.js';
import { ErasureRepository, type ErasureStore } from './storage/erasure.repository.js';

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
  provide(
    AcceptanceService,
    [EmailRepository, DeliveryQueue, AttachmentResolver, EventAnnouncer, Observation],
    (
      { templateSource, topicPolicy, idempotency },
      repository: EmailRepository,
      queue: DeliveryQueue,
      resolver: AttachmentResolver,
      announcer: EventAnnouncer,
      observation: Observation,
    ) =>
      new AcceptanceService(repository, queue, resolver, templateSource, topicPolicy, announcer, observation, {
        idempotencyRetention: idempotency?.retention ?? DAY,
      }),
  ),
  provide(ListingService, [EmailRepository], (_, repository: EmailRepository) => new ListingService(repository)),
  provide(
    ErasuresService,
    [ErasureRepository, { token: ErasureWorker, optional: true }],
    (_, erasures: ErasureStore, worker?: WokenWorker) => new ErasuresService(erasures, worker),
  ),
  EmailsService,
];

/** A provider made from the options and other providers. */
export function provide<T, Args extends unknown[]>(
  token: Type<T>,
  inject: FactoryProvider['inject'],
  useFactory: (options: EmailsOptions, ...args: Args) => T,
): FactoryProvider<T> {
  return { provide: token, inject: [EMAILS_OPTIONS, ...(inject ?? [])], useFactory } as FactoryProvider<T>;
}
