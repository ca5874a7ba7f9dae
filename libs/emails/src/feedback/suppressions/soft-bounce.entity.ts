import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** An email that was given up for an address that may exist. A few in a row suppress it for a time. */
@Entity(tableNamed('soft_bounces'))
@Index('soft_bounces_by_age', ['givenUpAt'])
export class SoftBounceEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'soft_bounces_pkey' })
  accountId!: string;

  /** `addressKey` of the address. */
  @PrimaryColumn({ name: 'email_key', type: 'text', primaryKeyConstraintName: 'soft_bounces_pkey' })
  emailKey!: string;

  @PrimaryColumn({ name: 'email_id', type: 'uuid', primaryKeyConstraintName: 'soft_bounces_pkey' })
  emailId!: string;

  @Column({ name: 'given_up_at', type: 'timestamptz' })
  givenUpAt!: Date;
}
