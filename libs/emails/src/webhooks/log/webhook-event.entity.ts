import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** An event for a webhook: payload, delivery state and log entry. */
@Entity(tableNamed('webhook_events'))
@Index('webhook_events_by_id', ['webhookId', 'eventId'], { unique: true })
@Index('webhook_events_due', ['webhookId', 'dueAt', 'seq'], { where: 'due_at IS NOT NULL' })
@Index('webhook_events_by_payload', ['payloadId'])
@Index('webhook_events_by_seq', ['seq'])
@Index('webhook_events_failed', ['webhookId', 'createdAt', 'seq'], { where: "status = 'failed'" })
@Index('webhook_events_replayed', ['webhookId', 'seq'], { where: 'replays > 0' })
// An inverted index.
@Index('webhook_events_by_person', { synchronize: false })
export class WebhookEventEntity {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid', primaryKeyConstraintName: 'webhook_events_pkey' })
  webhookId!: string;

  /** Position in the log. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'webhook_events_pkey' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** `msg_…`, the same for every webhook and attempt. */
  @Column({ name: 'event_id', type: 'text' })
  eventId!: string;

  @Column({ type: 'text' })
  type!: string;

  /** Time of the event. */
  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'recorded_at', type: 'timestamptz', default: () => 'now()' })
  recordedAt!: Date;

  @Column({ name: 'payload_id', type: 'bigint' })
  payloadId!: string;

  /** Hashes of the addresses in the payload, to find them for an erasure. */
  @Column({ type: 'bigint', array: true, nullable: true })
  people!: string[] | null;

  @Column({ type: 'text', default: 'pending' })
  status!: string;

  /** Finished attempts of the schedule. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Due time of the next scheduled attempt; null: none. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Pending replays. */
  @Column({ type: 'integer', default: 0 })
  replays!: number;
}
