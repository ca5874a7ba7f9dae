import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';
import type { BounceKind } from '../states/bounce.js';
import type { EmailEventType } from '../states/email-states.js';
import { EmailEntity } from './email.entity.js';

/** The append-only history of an email. */
@Entity({ schema: SCHEMA, name: 'events' })
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
  type!: EmailEventType;

  /** The envelope address it is about; null when it is about the whole email. */
  @Column({ type: 'text', nullable: true })
  recipient!: string | null;

  /** The next hop's reply or the topic rule's reason. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  /** Which of the email's attempts brought it, from 1; null when none did, and of what was recorded before this was kept. */
  @Column({ type: 'integer', nullable: true })
  attempt!: number | null;

  /** Of what kind a bounce is; null of all else, and of what was recorded before this was judged. */
  @Column({ type: 'jsonb', nullable: true })
  bounce!: BounceKind | null;

  @Column({ name: 'occurred_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  occurredAt!: Date;
}
