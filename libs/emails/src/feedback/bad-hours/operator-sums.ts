import { Column } from 'typeorm';

/** Columns of a row that counts mail to an operator. */
export abstract class OperatorSums {
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
