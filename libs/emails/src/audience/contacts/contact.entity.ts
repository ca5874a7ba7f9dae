import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { tableNamed } from '../../shared/rows/schema.js';
import type { ContactProperties } from './contact-properties.js';

/** A person who can choose topics. */
@Entity(tableNamed('contacts'))
@Index('contacts_by_account', ['accountId', 'seq'], { unique: true })
@Index('contacts_by_email', ['accountId', 'emailKey'], { unique: true })
export class ContactEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'contacts_pkey' })
  id!: string;

  /** As it was written. */
  @Column({ type: 'text' })
  email!: string;

  /** `addressKey` of the address: the same for every spelling. */
  @Column({ name: 'email_key', type: 'text' })
  emailKey!: string;

  @Column({ name: 'first_name', type: 'text', nullable: true })
  firstName!: string | null;

  @Column({ name: 'last_name', type: 'text', nullable: true })
  lastName!: string | null;

  /** Opted out of every topic, regardless of the choices. */
  @Column({ type: 'boolean', default: false })
  unsubscribed!: boolean;

  @Column({ type: 'jsonb', default: {} })
  properties!: ContactProperties;
}
