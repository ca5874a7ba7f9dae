import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** An account: the owner of emails, contacts, topics, templates and keys. */
@Entity(tableNamed('accounts'))
@Index('accounts_by_name', ['name'], { unique: true })
export class AccountEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'accounts_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
