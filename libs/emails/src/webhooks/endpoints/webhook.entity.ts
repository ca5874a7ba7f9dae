import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import type { SealedSecret } from '../secrets/sealed-secrets.js';
import type { WebhookEventType } from './event-types.js';

/** Whether an endpoint is told anything. */
export type WebhookStatus = 'enabled' | 'disabled';

export const WEBHOOK_STATUSES: readonly WebhookStatus[] = ['enabled', 'disabled'];

/** Where an account wants to be told what happens. */
@Entity({ schema: SCHEMA, name: 'webhooks' })
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

  /** The newest first; the others sign besides until their end. */
  @Column({ type: 'jsonb' })
  secrets!: SealedSecret[];

  /** The first failure of those that may become the beginning of its end; null after a success. */
  @Column({ name: 'failing_from', type: 'timestamptz', nullable: true })
  failingFrom!: Date | null;

  /** Since when failures count towards its end. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  failingSince!: Date | null;

  /** Events of its log up to this number are not tried any more. */
  @Column({ name: 'dropped_to', type: 'bigint', default: 0 })
  droppedTo!: string;

  /** Until when a process serves it, which moves the fence with each beginning and end. */
  @Column({ name: 'leased_until', type: 'timestamptz', nullable: true })
  leasedUntil!: Date | null;

  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
