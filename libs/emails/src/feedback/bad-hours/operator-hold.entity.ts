import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** An operator in a bad hour: its refusals are candidates for the suppression list. */
@Entity(tableNamed('operator_holds'))
export class OperatorHoldEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'operator_holds_pkey' })
  operator!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since!: Date;

  /** The last time at which the rate of refusals reached the limit. */
  @Column({ name: 'bad_at', type: 'timestamptz', default: () => 'now()' })
  badAt!: Date;

  /** The limit at its begin: later the bad hour itself is part of the usual rate. */
  @Column({ name: 'limit_rate', type: 'double precision' })
  limitRate!: number;

  /** True if its begin was said. */
  @Column({ type: 'boolean', default: false })
  said!: boolean;

  /** From then on refusals are entries again, and candidates become entries. Null: not yet. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  /** Until then one process works on it. */
  @Column({ name: 'claimed_until', type: 'timestamptz', default: () => "'-infinity'" })
  claimedUntil!: Date;
}
