import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';
import type { RecipientOutcome } from '../../ports/email-transport.js';
import { EmailEntity } from './email.entity.js';

/**
 * One attempt to hand a message of an email to the next hop, written before the first SMTP command. An email that is sent as
 * one message for each recipient has an attempt for each message.
 */
@Entity(tableNamed('attempts'))
export class AttemptEntity {
  @PrimaryColumn({ name: 'email_id', type: 'uuid', primaryKeyConstraintName: 'attempts_pkey' })
  emailId!: string;

  /** The fence of the lease under which it was made. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'attempts_pkey' })
  fence!: number;

  /** 0: the message is for all pending recipients. n: it is for the n-th recipient of the email alone. */
  @PrimaryColumn({ type: 'smallint', default: 0, primaryKeyConstraintName: 'attempts_pkey' })
  message!: number;

  @ManyToOne(() => EmailEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'email_id', foreignKeyConstraintName: 'attempts_email_fkey' })
  email?: EmailEntity;

  @Column({ name: 'started_at', type: 'timestamptz' })
  startedAt!: Date;

  /**
   * Null while it runs, until its lease ends. If its worker dies, the next lease closes it: as unknown, or with `outcomes`
   * if these were written.
   */
  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** True when its end is unknown: a copy may have been sent. */
  @Column({ type: 'boolean', default: false })
  unknown!: boolean;

  /** Name of the transport. */
  @Column({ type: 'text', nullable: true })
  transport!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  outcomes!: RecipientOutcome[] | null;
}
