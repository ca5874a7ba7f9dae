import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** Recipients of the emails that an account had accepted, by days and months in UTC. Only for hosts with quotas. */
@Entity(tableNamed('quota_counts'))
@Index('quota_counts_changed', ['changedAt'])
export class QuotaCountEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'quota_counts_pkey' })
  accountId!: string;

  /** The last email that is counted. Its account's later ones have larger numbers (`number_at_commit`). */
  @Column({ name: 'counted_seq', type: 'bigint' })
  countedSeq!: string;

  @Column({ type: 'date' })
  day!: string;

  @Column({ name: 'of_day', type: 'bigint', default: 0 })
  ofDay!: string;

  /** The first day of the month. */
  @Column({ type: 'date' })
  month!: string;

  @Column({ name: 'of_month', type: 'bigint', default: 0 })
  ofMonth!: string;

  @Column({ name: 'changed_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  changedAt!: Date;
}
