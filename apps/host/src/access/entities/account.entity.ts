import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** To whom emails, keys, topics, contacts and templates belong. */
@Entity({ name: 'accounts' })
@Index('accounts_by_name', ['name'], { unique: true })
export class AccountEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'accounts_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
