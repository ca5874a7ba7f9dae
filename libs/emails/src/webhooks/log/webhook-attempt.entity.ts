import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/** A request that was made to a webhook, and what it answered. */
@Entity({ schema: SCHEMA, name: 'webhook_attempts' })
export class WebhookAttemptEntity {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  webhookId!: string;

  @PrimaryColumn({ name: 'event_seq', type: 'bigint', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  eventSeq!: string;

  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  @Generated('increment')
  id!: string;

  /** `atmpt_…` */
  @Column({ name: 'attempt_id', type: 'text' })
  attemptId!: string;

  /** 0: there was no answer. */
  @Column({ name: 'http_status_code', type: 'integer' })
  httpStatusCode!: number;

  /** The beginning of the answer, or why there was none. */
  @Column({ type: 'text' })
  response!: string;

  @Column({ name: 'sent_at', type: 'timestamptz' })
  sentAt!: Date;
}
