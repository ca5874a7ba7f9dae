import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/**
 * How many events of a kind one statement recorded of an account's recipients. Written by a trigger, in the transaction of
 * the events, and deleted by what folds it into `event_totals`: no row is shared by two writers.
 */
@Entity({ schema: SCHEMA, name: 'event_counts' })
export class EventCountEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'event_counts_pkey' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** The quarter of an hour in which they occurred, by its beginning. */
  @Column({ type: 'timestamptz' })
  slot!: Date;

  /** Of `from`, in lower case and otherwise as the caller wrote it. */
  @Column({ type: 'text' })
  domain!: string;

  /** The type of event; of bounces `bounced_permanent`, `bounced_transient` or `bounced_undetermined`. */
  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
