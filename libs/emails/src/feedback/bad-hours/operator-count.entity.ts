import { Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';
import { OperatorSums } from './operator-sums.js';

const KEY = { primaryKeyConstraintName: 'operator_counts_pkey' };

/** Numbers of recipients, and of refusals of one operator, in two minutes. Kept for eight days. */
@Entity(tableNamed('operator_counts'))
export class OperatorCountEntity extends OperatorSums {
  /** A name such as `gmail`; empty for recipients at domains of no operator. */
  @PrimaryColumn({ type: 'text', ...KEY })
  operator!: string;

  @PrimaryColumn({ type: 'timestamptz', ...KEY })
  slot!: Date;
}
