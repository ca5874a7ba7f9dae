import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { tableNamed } from '../../shared/rows/schema.js';
import type { SealedSecret } from '../secrets/sealed-secrets.js';
import type { WebhookEventType } from './event-types.js';

/** True if an endpoint gets events. */
export type WebhookStatus = 'enabled' | 'disabled';

export const WEBHOOK_STATUSES: readonly WebhookStatus[] = ['enabled', 'disabled'];

/** An endpoint that an account wants to be notified at. */
@Entity(tableNamed('webhooks'))
@Index('webhooks_by_account', ['accountId', 'seq'], { unique: true })
export class WebhookEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhooks_pkey' })
  id!: string;

  @Column({ type: 'text' })
  endpoint!: string;

  @Column({ type: 'text', array: true })
  events!: WebhookEventType[];

  @Column({ type: 'text' })
  status!: WebhookStatus;

  /** The newest first; the others also sign until they expire. */
  @Column({ type: 'jsonb' })
  secrets!: SealedSecret[];

  /** The first of the failures that may end it; null after a success. */
  @Column({ name: 'failing_from', type: 'timestamptz', nullable: true })
  failingFrom!: Date | null;

  /** Start of the time after which continued failures end it. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Events of its log up to this number are no longer tried. */
  @Column({ name: 'dropped_to', type: 'bigint', default: 0 })
  droppedTo!: string;

  /** End of the lease of the process that serves it. Each acquire and release increments the fence. */
  @Column({ name: 'leased_until', type: 'timestamptz', nullable: true })
  leasedUntil!: Date | null;

  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
