import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** The payload of an event, shared by all endpoints of an account. Deleted with the last event that refers to it. */
@Entity(tableNamed('webhook_payloads'))
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

  /** The exact body of the request. */
  @Column({ type: 'text' })
  body!: string;

  /** Id of the email that it is about; null: it is about none. */
  @Column({ name: 'email_id', type: 'uuid', nullable: true })
  emailId!: string | null;

  /** The only recipient that it names; null: none, or several. */
  @Column({ type: 'text', nullable: true })
  recipient!: string | null;
}
