import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/** A person who is to be erased, or was. */
@Entity({ schema: SCHEMA, name: 'erasures' })
@Index('erasures_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class ErasureEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'erasures_pkey' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Envelope address. Null as soon as there is nothing left to be found by it. */
  @Column({ type: 'text', nullable: true })
  address!: string | null;

  /** Emails with this number or a larger one were accepted later, and are left alone. */
  @Column({ name: 'before_seq', type: 'bigint' })
  beforeSeq!: string;

  /** The number of the last email that this round looked at, from the largest down; null where it begins. */
  @Column({ type: 'bigint', nullable: true })
  place!: string | null;

  /** Whether this round passed over emails that were in somebody's hands. */
  @Column({ name: 'left_over', type: 'boolean', default: false })
  leftOver!: boolean;

  /** All emails have been found: the other modules are asked, then. */
  @Column({ type: 'boolean', default: false })
  searched!: boolean;

  /** When a worker should next go on with it, or, while one does, the end of its lease. Null: it is finished. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Moves on with each lease: whoever comes late writes nothing. */
  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
