import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';
import type { ReputationBucket } from './reputation-ring.js';

/** The rates of an account that had a bounce or a complaint. */
@Entity(tableNamed('reputations'))
@Index('reputations_due', ['checkedAt'], { where: 'is_due OR level IS NOT NULL OR said IS NOT NULL' })
export class ReputationEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'reputations_pkey' })
  accountId!: string;

  /** Bounces because of the address, and complaints, that are in no bucket yet. Below 0 if some no longer count. */
  @Column({ name: 'new_bounces', type: 'integer', default: 0 })
  newBounces!: number;

  @Column({ name: 'new_complaints', type: 'integer', default: 0 })
  newComplaints!: number;

  /** Recipients that the next hop refused, which no event `sent` counts, and that are not in `recipients` yet. */
  @Column({ name: 'new_refused', type: 'integer', default: 0 })
  newRefused!: number;

  /** Recipients so far, without those that were sent to from `countedUntil` on. */
  @Column({ type: 'bigint', default: 0 })
  recipients!: string;

  /** Null before the first check. */
  @Column({ name: 'counted_until', type: 'timestamptz', nullable: true })
  countedUntil!: Date | null;

  @Column({ type: 'jsonb', default: '[]' })
  buckets!: ReputationBucket[];

  /** Null: the rates are good. */
  @Column({ type: 'text', nullable: true })
  level!: 'warn' | 'hold' | null;

  /** The level of the last alarm; null after the end of one. */
  @Column({ type: 'text', nullable: true })
  said!: 'warn' | 'hold' | null;

  /** Until then the process that changed the level says so; later another one does. */
  @Column({ name: 'saying_until', type: 'timestamptz', nullable: true })
  sayingUntil!: Date | null;

  /** Begin of the level, also after its end. */
  @Column({ type: 'timestamptz', nullable: true })
  since!: Date | null;

  /** The last time the rates were bad. */
  @Column({ name: 'bad_at', type: 'timestamptz', nullable: true })
  badAt!: Date | null;

  /** True if there is something in no bucket. */
  @Column({ name: 'is_due', type: 'boolean', default: false })
  isDue!: boolean;

  @Column({ name: 'checked_at', type: 'timestamptz', default: () => "'-infinity'" })
  checkedAt!: Date;
}
