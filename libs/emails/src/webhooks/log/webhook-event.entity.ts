import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/** An event for a webhook: what is sent, how that stands, and afterwards its log. */
@Entity({ schema: SCHEMA, name: 'webhook_events' })
@Index('webhook_events_by_id', ['webhookId', 'eventId'], { unique: true })
@Index('webhook_events_due', ['webhookId', 'dueAt', 'seq'], { where: 'due_at IS NOT NULL' })
@Index('webhook_events_by_payload', ['payloadId'], { where: 'payload_id IS NOT NULL' })
@Index('webhook_events_by_seq', ['seq'])
@Index('webhook_events_replayed', ['webhookId', 'seq'], { where: 'replays > 0' })
// An inverted index.
@Index('webhook_events_by_person', { synchronize: false })
export class WebhookEventEntity {
  @PrimaryColumn({ name: 'webhook_id', type: 'uuid', primaryKeyConstraintName: 'webhook_events_pkey' })
  webhookId!: string;

  /** Place in the log. */
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

  /** Of the event. */
  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'recorded_at', type: 'timestamptz', default: () => 'now()' })
  recordedAt!: Date;

  /** The body of the request, to the byte, of an event from before payloads were shared. */
  @Column({ type: 'text', nullable: true })
  payload!: string | null;

  /** The payload, where it is shared. */
  @Column({ name: 'payload_id', type: 'bigint', nullable: true })
  payloadId!: string | null;

  /** Hashes of the addresses in it, by which they are found to be erased. */
  @Column({ type: 'bigint', array: true, nullable: true })
  people!: string[] | null;

  @Column({ type: 'text', default: 'pending' })
  status!: string;

  /** Those of the schedule that have ended. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** When the next attempt of the schedule is to be made; null: none is. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Deliveries that are owed besides, because somebody asked for them. */
  @Column({ type: 'integer', default: 0 })
  replays!: number;
}
