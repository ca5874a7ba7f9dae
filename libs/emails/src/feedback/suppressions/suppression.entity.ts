import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { tableNamed } from '../../shared/rows/schema.js';
import type { SuppressionOrigin } from './suppression-origin.js';

/** An address to which an account sends nothing. */
@Entity(tableNamed('suppressions'))
@Index('suppressions_by_account', ['accountId', 'seq'], { unique: true })
@Index('suppressions_by_origin', ['accountId', 'origin', 'seq'], { unique: true })
@Index('suppressions_by_email', ['accountId', 'emailKey'], { unique: true })
@Index('suppressions_by_operator', ['accountId', 'operator', 'createdAt'], { where: 'operator IS NOT NULL' })
@Index('suppressions_by_time', ['operator', 'createdAt'], { where: 'operator IS NOT NULL' })
@Index('suppressions_by_expiry', ['expiresAt'], { where: 'expires_at IS NOT NULL' })
export class SuppressionEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'suppressions_pkey' })
  id!: string;

  /** `addressKey` of the address; of an erased person its `ErasedForm`, which has no `@`. */
  @Column({ name: 'email_key', type: 'text' })
  emailKey!: string;

  /** The address in lower case; null for an erased person. */
  @Column({ type: 'text', nullable: true })
  email!: string | null;

  @Column({ type: 'text' })
  origin!: SuppressionOrigin;

  /** The server's reply. Null without one. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** The email that caused it; null for a manual entry. */
  @Column({ name: 'source_id', type: 'uuid', nullable: true })
  sourceId!: string | null;

  /** The operator of the server that refused the address, such as `gmail`. Null: none is known. */
  @Column({ type: 'text', nullable: true })
  operator!: string | null;

  /** Null: permanent. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
