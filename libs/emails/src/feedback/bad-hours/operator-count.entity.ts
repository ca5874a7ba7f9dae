import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

const KEY = { primaryKeyConstraintName: 'operator_counts_pkey' };

/** Numbers of recipients, and of refusals of one operator, in two minutes. Kept for eight days. */
@Entity(tableNamed('operator_counts'))
export class OperatorCountEntity {
  /** A name such as `gmail`; empty for recipients at domains of no operator. */
  @PrimaryColumn({ type: 'text', ...KEY })
  operator!: string;

  @PrimaryColumn({ type: 'timestamptz', ...KEY })
  slot!: Date;

  /** Recipients at domains of the operator that a next hop accepted or refused. */
  @Column({ type: 'integer', default: 0 })
  recipients!: number;

  /** Permanent refusals because of the address. */
  @Column({ type: 'integer', default: 0 })
  refusals!: number;

  /** The part of these at domains of the operator. */
  @Column({ name: 'own_refusals', type: 'integer', default: 0 })
  ownRefusals!: number;
}
