import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';
import type { EmailEventType } from '../../states/email-states.js';
import type { RecipientState } from '../../states/recipient-state.js';
import { EmailEntity } from './email.entity.js';

/** The delivery state of an email: the row that a worker leases. */
@Entity(tableNamed('deliveries'))
@Index('deliveries_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('deliveries_by_state', ['account', 'lastEvent', 'seq'], {
  where: "last_event <> 'queued' AND seq IS NOT NULL",
})
@Index('deliveries_waiting', ['waitsFor', 'seq'], { where: 'waits_for IS NOT NULL' })
export class DeliveryEntity {
  @PrimaryColumn({ name: 'email_id', type: 'uuid', primaryKeyConstraintName: 'deliveries_pkey' })
  emailId!: string;

  @OneToOne(() => EmailEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'email_id', foreignKeyConstraintName: 'deliveries_email_fkey' })
  email?: EmailEntity;

  @Column({ name: 'last_event', type: 'text' })
  lastEvent!: EmailEventType;

  /**
   * When a worker should next look at this email: the scheduled time, the next attempt, or the end of the current
   * lease. Null: nothing is pending.
   */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** Incremented when a lease begins and when it ends. Every write of a worker carries the fence of its lease. */
  @Column({ type: 'integer', default: 0 })
  fence!: number;

  /** Number of ended attempts, lost ends included. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** @internal State of every envelope recipient. */
  @Column({ type: 'jsonb' })
  recipients!: RecipientState[];

  /** A hash of the email's account (`email-terms.ts`). Null, like `seq`, until the email is numbered. */
  @Column({ type: 'bigint', nullable: true })
  account!: string | null;

  /** The email's sequence number. */
  @Column({ type: 'bigint', nullable: true })
  seq!: string | null;

  /** The next hops that were down (`hopBits`). The email continues when one of them is back, and at `dueAt` anyway. */
  @Column({ name: 'waits_for', type: 'bigint', nullable: true })
  waitsFor!: string | null;

  /** When an email that waits for a next hop fell due. */
  @Column({ name: 'waits_from', type: 'timestamptz', nullable: true })
  waitsFrom!: Date | null;

  /** As of its email: the trigger `clear_sensitive` looks at this row alone. */
  @Column({ type: 'boolean', nullable: true })
  sensitive!: boolean | null;

  /** True for an email in the lane `bulk`. Null: it is in the lane `now`. */
  @Column({ type: 'boolean', nullable: true })
  bulk!: boolean | null;
}
