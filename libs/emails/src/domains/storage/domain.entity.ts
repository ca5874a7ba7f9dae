import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow, TimestampText } from '../../shared/rows/account-row.js';
import { tableNamed } from '../../shared/rows/schema.js';
import type { DomainStatus } from './domain-status.js';
import type { RecordChecks } from './record-check.js';

/** TLS to the next hop: `enforced` fails without it. */
export type DomainTls = 'opportunistic' | 'enforced';

/** A domain that an account sends from. A domain has one account in the whole installation. */
@Entity(tableNamed('domains'))
@Index('domains_by_account', ['accountId', 'seq'], { unique: true })
@Index('domains_by_name', ['name'], { unique: true })
@Index('domains_due', ['nextCheckAt'], { where: 'next_check_at IS NOT NULL' })
@Index('domains_missing', ['missingSince'], { where: 'missing_since IS NOT NULL' })
export class DomainEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'domains_pkey' })
  id!: string;

  /** In lower-case A-labels, without a final dot. */
  @Column({ type: 'text' })
  name!: string;

  /** One of Resend's. It has no meaning here. */
  @Column({ type: 'text' })
  region!: string;

  /** Label of the subdomain of the return path, such as `send`. */
  @Column({ name: 'return_path', type: 'text' })
  returnPath!: string;

  @Column({ type: 'text' })
  tls!: DomainTls;

  /** The capability. False: the domain counts as not verified. */
  @Column({ type: 'boolean', default: true })
  sending!: boolean;

  @Column({ type: 'text', default: 'not_started' })
  status!: DomainStatus;

  @Column({ type: 'jsonb', default: '{}' })
  checks!: RecordChecks;

  /** Value that proves the ownership where a relay signs. */
  @Column({ type: 'text' })
  challenge!: string;

  /** Generation of its newest keys; 0 without keys. */
  @Column({ type: 'integer', default: 0 })
  generation!: number;

  /** Year and month of the newest selectors, such as `2611`, and how many generations were made in it. */
  @Column({ name: 'selector_month', type: 'text', nullable: true })
  selectorMonth!: string | null;

  @Column({ name: 'selector_count', type: 'integer', default: 0 })
  selectorCount!: number;

  /** When it was verified for the first time. */
  @Column({ name: 'verified_at', type: 'timestamptz', nullable: true })
  verifiedAt!: Date | null;

  /** Since when a record has been missing that was there; null while nothing is. */
  @Column({ name: 'missing_since', type: 'timestamptz', nullable: true })
  missingSince!: Date | null;

  /** The last request to verify it; null before the first. */
  @Column({ name: 'verifying_since', type: 'timestamptz', nullable: true })
  verifyingSince!: Date | null;

  /** End of the last check. */
  @Column({ name: 'checked_at', type: 'timestamptz', nullable: true })
  checkedAt!: Date | null;

  @TimestampText('checked_at')
  checkedText!: string | null;

  /** Null before the first request to verify it. */
  @Column({ name: 'next_check_at', type: 'timestamptz', nullable: true })
  nextCheckAt!: Date | null;

  @TimestampText('next_check_at')
  nextCheckText!: string | null;

  /** End of the lease of the process that checks it. Each lease increments the fence. */
  @Column({ name: 'leased_until', type: 'timestamptz', nullable: true })
  leasedUntil!: Date | null;

  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
