import { Column, Entity, Generated, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** A request to a webhook, and the answer. */
@Entity(tableNamed('webhook_attempts'))
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

  /** 0: no answer. */
  @Column({ name: 'http_status_code', type: 'integer' })
  httpStatusCode!: number;

  /** The beginning of the answer, or the reason for its absence. */
  @Column({ type: 'text' })
  response!: string;

  @Column({ name: 'sent_at', type: 'timestamptz' })
  sentAt!: Date;
}
