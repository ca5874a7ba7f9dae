import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/** What is sent of an event, the same to every endpoint of an account. Deleted with the last event that refers to it. */
@Entity({ schema: SCHEMA, name: 'webhook_payloads' })
@Index('webhook_payloads_by_event', ['accountId', 'eventId'], { unique: true })
export class WebhookPayloadEntity {
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'webhook_payloads_pkey' })
  @Generated('increment')
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** `msg_…` */
  @Column({ name: 'event_id', type: 'text' })
  eventId!: string;

  /** The body of the request, to the byte. */
  @Column({ type: 'text' })
  body!: string;
}
