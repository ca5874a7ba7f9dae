import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';
import type { SigningKey } from '../signing/signing-keys.js';
import { DomainEntity } from './domain.entity.js';

/** Algorithm of a DKIM key: RFC 6376, RFC 8463. */
export type KeyAlgorithm = SigningKey['algorithm'];

/** A DKIM key of a domain. It signs from `verifiedAt` until `retiredAt`. */
@Entity(tableNamed('domain_keys'))
@Index('domain_keys_retired', ['retiredAt'], { where: 'retired_at IS NOT NULL' })
export class DomainKeyEntity {
  @PrimaryColumn({ name: 'domain_id', type: 'uuid', primaryKeyConstraintName: 'domain_keys_pkey' })
  domainId!: string;

  @ManyToOne(() => DomainEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'domain_id', foreignKeyConstraintName: 'domain_keys_domain_fkey' })
  domain?: DomainEntity;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'domain_keys_pkey' })
  selector!: string;

  @Column({ type: 'text' })
  algorithm!: KeyAlgorithm;

  /** Keys that were made together have the same. */
  @Column({ type: 'integer' })
  generation!: number;

  /** Value of the tag `p=`: base64. */
  @Column({ name: 'public_key', type: 'text' })
  publicKey!: string;

  /** Id of the secret key that the private key is encrypted with. */
  @Column({ name: 'key_id', type: 'text' })
  keyId!: string;

  /** PKCS #8 in base64, encrypted by `sealText`. */
  @Column({ type: 'text' })
  sealed!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  /** When its record was found for the first time. */
  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  /** When a newer key took its place. It is deleted 7 days later. */
  @Column({ name: 'retired_at', type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;
}
