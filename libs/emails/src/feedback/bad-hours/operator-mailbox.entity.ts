import { Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

const KEY = { primaryKeyConstraintName: 'operator_mailboxes_pkey' };

/** A mailbox whose refusals are counted, once in ten minutes. Kept for 20 minutes. */
@Entity(tableNamed('operator_mailboxes'))
export class OperatorMailboxEntity {
  @PrimaryColumn({ type: 'text', ...KEY })
  operator!: string;

  /** Begin of the ten minutes. */
  @PrimaryColumn({ type: 'timestamptz', ...KEY })
  slot!: Date;

  /** SHA-256 of the address without its detail. */
  @PrimaryColumn({ type: 'bytea', ...KEY })
  mailbox!: Buffer;
}
