import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import type { BounceKind } from '../../../shared/replies/bounce.js';
import { tableNamed } from '../../../shared/rows/schema.js';
import type { RecordedEventType } from '../../states/email-states.js';
import type { ReportSource } from '../../states/report-sources.js';
import { EmailEntity } from './email.entity.js';

/** The append-only history of an email. */
@Entity(tableNamed('events'))
@Index('events_by_email', ['emailId', 'id'])
export class EventEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'events_pkey' })
  id!: string;

  @Column({ name: 'email_id', type: 'uuid' })
  emailId!: string;

  @ManyToOne(() => EmailEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'email_id', foreignKeyConstraintName: 'events_email_fkey' })
  email?: EmailEntity;

  @Column({ type: 'text' })
  type!: RecordedEventType;

  /** The envelope address it is about; null when it is about the whole email. */
  @Column({ type: 'text', nullable: true })
  recipient!: string | null;

  /** Text of a server or a policy. Null without one: then the code gives the reason. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** One of `REASON_CODES`, or the code of a policy or a report. Null where the server's text is enough. */
  @Column({ name: 'reason_code', type: 'text', nullable: true })
  reasonCode!: string | null;

  /** Number of the email's attempt that caused it, from 1; null without one, and in old rows. */
  @Column({ type: 'integer', nullable: true })
  attempt!: number | null;

  /** The kind of a bounce; null for other events, and in old rows. */
  @Column({ type: 'jsonb', nullable: true })
  bounce!: BounceKind | null;

  /** Source of a later report. Null for events of the library itself. */
  @Column({ type: 'text', nullable: true })
  source!: ReportSource | null;

  /** Name of the transport of its attempt; null without one. */
  @Column({ type: 'text', nullable: true })
  transport!: string | null;

  @Column({ name: 'occurred_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  occurredAt!: Date;
}
