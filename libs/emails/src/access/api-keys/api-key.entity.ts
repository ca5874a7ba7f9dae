import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Permission } from '../../shared/callers/caller.js';
import { AccountRow, TimestampText } from '../../shared/rows/account-row.js';
import { tableNamed } from '../../shared/rows/schema.js';
import type { KeyRole } from './create-api-key.dto.js';

/** A key with which a caller acts for an account. */
@Entity(tableNamed('api_keys'))
@Index('api_keys_by_account', ['accountId', 'seq'], { unique: true })
@Index('api_keys_by_token', ['tokenHash'], { unique: true })
export class ApiKeyEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'api_keys_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  permission!: Permission;

  /** For a key that opens the page alone: the role of its sessions. Null for a key of the API. */
  @Column({ name: 'page_role', type: 'text', nullable: true })
  pageRole!: KeyRole | null;

  /** The only domain that it may send from. Null: any. It may have been deleted: then the key is refused. */
  @Column({ name: 'domain_id', type: 'uuid', nullable: true })
  domainId!: string | null;

  /** SHA-256 of the token, which is not kept. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** First characters of the token, by which people recognize it. */
  @Column({ name: 'token_start', type: 'text', default: '' })
  tokenStart!: string;

  /** Exact to a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true, select: false })
  lastUsedAt!: Date | null;

  @TimestampText('last_used_at')
  lastUsedText!: string | null;

  /** From then on the key counts as absent. */
  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt!: Date | null;
}
