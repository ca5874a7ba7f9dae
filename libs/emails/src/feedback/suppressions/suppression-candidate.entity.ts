import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** An address that an operator refused in a bad hour. It is no suppression yet: mail to it is sent. */
@Entity(tableNamed('suppression_candidates'))
@Index('suppression_candidates_by_email', ['accountId', 'emailKey'], { unique: true })
@Index('suppression_candidates_by_operator', ['operator', 'accountId', 'createdAt'])
export class SuppressionCandidateEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'suppression_candidates_pkey' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** `emailKey` of a suppression. */
  @Column({ name: 'email_key', type: 'text' })
  emailKey!: string;

  /** The address in lower case; null for an erased person. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  /** The server's reply. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'source_id', type: 'uuid', nullable: true })
  sourceId!: string | null;

  @Column({ type: 'text' })
  operator!: string;

  /** True if it counts against the reputation of the account. */
  @Column({ type: 'boolean', default: false })
  counted!: boolean;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
