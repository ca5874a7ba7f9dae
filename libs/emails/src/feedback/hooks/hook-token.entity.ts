import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';

/** A token of a relay whose signature covers nothing else: it counts for the first body that it came with, and once. */
@Entity(tableNamed('hook_tokens'))
@Index('hook_tokens_expired', ['expiresAt'])
export class HookTokenEntity {
  /** SHA-256 of the token. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'hook_tokens_pkey' })
  token!: Buffer;

  /** SHA-256 of the body. */
  @Column({ type: 'bytea' })
  body!: Buffer;

  /** True if the reports of the body are committed. */
  @Column({ name: 'is_used', type: 'boolean', default: false })
  isUsed!: boolean;

  /** From then on the signature is too old. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
