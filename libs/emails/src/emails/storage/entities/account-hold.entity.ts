import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** An account whose emails are accepted and kept, but not sent. Its due emails have `due_at = 'infinity'`. */
@Entity(tableNamed('account_holds'))
export class AccountHoldEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'account_holds_pkey' })
  accountId!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since!: Date;

  @Column({ type: 'text' })
  reason!: string;
}
