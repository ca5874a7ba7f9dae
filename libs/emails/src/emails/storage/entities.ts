import { AttachmentEntity } from './attachment.entity.js';
import { AttachmentContentEntity } from './attachment-content.entity.js';
import { AttemptEntity } from './attempt.entity.js';
import { DeliveryEntity } from './delivery.entity.js';
import { EmailEntity } from './email.entity.js';
import { EmailTermEntity } from './email-term.entity.js';
import { EventEntity } from './event.entity.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IdempotentAnswerEntity } from './idempotent-answer.entity.js';

/** Every entity of the library, for the `entities` of the host's data source. */
export const emailsEntities: (new () => object)[] = [
  EmailEntity,
  EmailTermEntity,
  DeliveryEntity,
  AttemptEntity,
  EventEntity,
  IdempotencyKeyEntity,
  IdempotentAnswerEntity,
  AttachmentEntity,
  AttachmentContentEntity,
];
