import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/**
 * Number of events of a kind that one statement recorded for recipients of an account. A trigger writes it in the
 * transaction of the events; folding it into `event_totals` deletes it. No two writers share a row.
 */
@Entity(tableNamed('event_counts'))
export class EventCountEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'event_counts_pkey' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** Beginning of the quarter of an hour in which they occurred. */
  @Column({ type: 'timestamptz' })
  slot!: Date;

  /** Domain of `from`, in lower case and otherwise as the caller wrote it. */
  @Column({ type: 'text' })
  domain!: string;

  /** The event type; for bounces `bounced_permanent`, `bounced_transient` or `bounced_undetermined`. */
  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
