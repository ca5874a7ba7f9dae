import { Column, Entity, Generated, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../access/entities/account.entity.js';

/** Somebody who can choose topics. */
@Entity({ name: 'contacts' })
@Index('contacts_by_account', ['accountId', 'seq'], { unique: true })
@Index('contacts_by_email', ['accountId', 'emailKey'], { unique: true })
export class ContactEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'contacts_pkey' })
  id!: string;

  /** Place in the list. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'contacts_account_fkey' })
  account?: AccountEntity;

  /** As it was written. */
  @Column({ type: 'text' })
  email!: string;

  /** What `addressKey` makes of it: the same for every spelling. */
  @Column({ name: 'email_key', type: 'text' })
  emailKey!: string;

  @Column({ name: 'first_name', type: 'text', nullable: true })
  firstName!: string | null;

  @Column({ name: 'last_name', type: 'text', nullable: true })
  lastName!: string | null;

  /** Opted out of every topic, whatever was chosen for one. */
  @Column({ type: 'boolean', default: false })
  unsubscribed!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
