import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** A domain whose mail waits because a key of its own cannot sign. */
@Entity(tableNamed('signing_faults'))
export class SigningFaultEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'signing_faults_pkey' })
  accountId!: string;

  /** In lower-case A-labels. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'signing_faults_pkey' })
  domain!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since!: Date;

  /** Exact to a minute. */
  @Column({ name: 'failed_at', type: 'timestamptz', default: () => 'now()' })
  failedAt!: Date;
}
