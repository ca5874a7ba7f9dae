import { ActionEntity } from './action.entity.js';
import { AlarmEntity } from './alarm.entity.js';
import { AttachmentEntity } from './attachment.entity.js';
import { AttachmentContentEntity } from './attachment-content.entity.js';
import { AttemptEntity } from './attempt.entity.js';
import { DeliveryEntity } from './delivery.entity.js';
import { EmailEntity } from './email.entity.js';
import { EmailActionEntity } from './email-action.entity.js';
import { EmailTermEntity } from './email-term.entity.js';
import { ErasureEntity } from './erasure.entity.js';
import { ErasureRemainderEntity } from './erasure-remainder.entity.js';
import { EventEntity } from './event.entity.js';
import { EventCountEntity } from './event-count.entity.js';
import { EventTotalEntity } from './event-total.entity.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IdempotentAnswerEntity } from './idempotent-answer.entity.js';
import { PauseEntity } from './pause.entity.js';
import { QuotaCountEntity } from './quota-count.entity.js';
import { TransportPermitsEntity } from './transport-permits.entity.js';

/** All entities of the core, for the `entities` of the host's data source. */
export const emailsEntities: (new () => object)[] = [
  EmailEntity,
  EmailTermEntity,
  DeliveryEntity,
  PauseEntity,
  AttemptEntity,
  EventEntity,
  EventCountEntity,
  EventTotalEntity,
  IdempotencyKeyEntity,
  IdempotentAnswerEntity,
  AttachmentEntity,
  AttachmentContentEntity,
  ErasureEntity,
  ErasureRemainderEntity,
  ActionEntity,
  EmailActionEntity,
  AlarmEntity,
  QuotaCountEntity,
  TransportPermitsEntity,
];
