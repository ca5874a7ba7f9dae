import { Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';
import { OperatorSums } from './operator-sums.js';

const KEY = { primaryKeyConstraintName: 'operator_account_counts_pkey' };

/** The part of an `OperatorCountEntity` that one account has. Kept for 20 minutes, twice the span that is judged. */
@Entity(tableNamed('operator_account_counts'))
export class OperatorAccountCountEntity extends OperatorSums {
  /** A name such as `gmail`; empty for recipients at domains of no operator. */
  @PrimaryColumn({ type: 'text', ...KEY })
  operator!: string;

  @PrimaryColumn({ type: 'timestamptz', ...KEY })
  slot!: Date;

  @PrimaryColumn({ name: 'account_id', type: 'text', ...KEY })
  accountId!: string;
}
