import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** The first answer given to a key, committed together with its email. */
@Entity(tableNamed('idempotency_keys'))
@Index('idempotency_keys_expiry', ['expiresAt'])
export class IdempotencyKeyEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  accountId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  key!: string;

  /** SHA-256 of the request's canonical form, in hex. */
  @Column({ name: 'request_hash', type: 'text' })
  requestHash!: string;

  @Column({ name: 'email_id', type: 'uuid' })
  emailId!: string;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
