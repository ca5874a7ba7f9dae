import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** The erasure of a person, in progress or finished. */
@Entity(tableNamed('erasures'))
@Index('erasures_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class ErasureEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'erasures_pkey' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Envelope address. Null as soon as nothing can be found by it. */
  @Column({ type: 'text', nullable: true })
  address!: string | null;

  /** Emails with this number or a larger one were accepted later, and stay unchanged. */
  @Column({ name: 'before_seq', type: 'bigint' })
  beforeSeq!: string;

  /** The number of the last email that this round looked at, from the largest down; null at the beginning. */
  @Column({ type: 'bigint', nullable: true })
  place!: string | null;

  /** Whether this round skipped emails that were locked or being sent. */
  @Column({ name: 'left_over', type: 'boolean', default: false })
  leftOver!: boolean;

  /** True if all emails were found. Then the other modules are asked. */
  @Column({ type: 'boolean', default: false })
  searched!: boolean;

  /** When a worker should continue, or the end of the current lease. Null: finished. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Incremented with each lease, so that a late worker writes nothing. */
  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
