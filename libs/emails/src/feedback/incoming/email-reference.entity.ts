import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/**
 * Another name of an email that a relay's report may use: the relay's own id, or a Message-ID that the sender gave.
 * Written only where hooks are configured.
 */
@Entity(tableNamed('email_references'))
@Index('email_references_by_age', ['notedAt'])
export class EmailReferenceEntity {
  /** A hash: a given Message-ID may name a person, and has any length. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'email_references_pkey' })
  hash!: Buffer;

  /** Several accounts may give the same Message-ID. Then it leads to no email. */
  @PrimaryColumn({ name: 'email_id', type: 'uuid', primaryKeyConstraintName: 'email_references_pkey' })
  emailId!: string;

  @Column({ name: 'noted_at', type: 'timestamptz', default: () => 'now()' })
  notedAt!: Date;
}
