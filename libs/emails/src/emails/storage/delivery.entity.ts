import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';
import type { EmailEventType } from '../states/email-states.js';
import type { RecipientState } from '../states/recipient-state.js';
import { EmailEntity } from './email.entity.js';

/** What is still owed for an email: the row a worker leases. */
@Entity({ schema: SCHEMA, name: 'deliveries' })
@Index('deliveries_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('deliveries_by_state', ['account', 'lastEvent', 'seq'], {
  where: "last_event <> 'queued' AND seq IS NOT NULL",
})
@Index('deliveries_unindexed', ['emailId'], { where: 'seq IS NULL' })
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
   * When a worker should next look at this email: the scheduled time, the next attempt, or, while a worker has it, the
   * end of that worker's lease. Null: nothing is owed.
   */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  /** Moves on when a lease is taken, and when it ends. Whatever a worker writes must carry the number of its own lease. */
  @Column({ type: 'integer', default: 0 })
  fence!: number;

  /** Attempts that ended, those included whose end nobody saw. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  /** Every envelope recipient and how far it got. */
  @Column({ type: 'jsonb' })
  recipients!: RecipientState[];

  /** A hash of the email's account (`email-terms.ts`). Null, as `seq`, until filters know the email. */
  @Column({ type: 'bigint', nullable: true })
  account!: string | null;

  /** Of the email. */
  @Column({ type: 'bigint', nullable: true })
  seq!: string | null;

  /** A hash of the next hop that was down: the email goes on when that is back, and at `dueAt` anyway. */
  @Column({ name: 'waits_for', type: 'bigint', nullable: true })
  waitsFor!: string | null;

  /** The fence under which it waits; when that has moved on, it waits no more. */
  @Column({ name: 'waits_since', type: 'integer', nullable: true })
  waitsSince!: number | null;

  /** Since when it has been due, where it waits. Null where an old process let it wait. */
  @Column({ name: 'waits_from', type: 'timestamptz', nullable: true })
  waitsFrom!: Date | null;
}
