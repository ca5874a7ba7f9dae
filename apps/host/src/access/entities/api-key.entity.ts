import type { Permission } from 'nestjs-emails';
import { Column, Entity, Generated, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from './account.entity.js';

/** A bearer token of an account. The token itself is not kept. */
@Entity({ name: 'api_keys' })
@Index('api_keys_by_token', ['tokenHash'], { unique: true })
@Index('api_keys_by_account', ['accountId', 'seq'], { unique: true })
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'api_keys_pkey' })
  id!: string;

  /** Place in the list. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'api_keys_account_fkey' })
  account?: AccountEntity;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  permission!: Permission;

  /** SHA-256 of the token. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** Exact to a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  /** Kept, so that a revoked key is never mistaken for one that was not known yet. */
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
