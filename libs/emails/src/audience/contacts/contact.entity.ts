import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import type { ContactProperties } from './contact-properties.js';

/** Somebody who can choose topics. */
@Entity({ schema: SCHEMA, name: 'contacts' })
@Index('contacts_by_account', ['accountId', 'seq'], { unique: true })
@Index('contacts_by_email', ['accountId', 'emailKey'], { unique: true })
export class ContactEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'contacts_pkey' })
  id!: string;

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

  @Column({ type: 'jsonb', default: {} })
  properties!: ContactProperties;
}
