import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** An alarm that is on, or whose end is still to be notified. */
@Entity(tableNamed('alarms'))
@Index('alarms_open', ['code', 'accountId', 'subject'], { unique: true, where: 'ended_at IS NULL' })
@Index('alarms_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class AlarmEntity {
  @PrimaryGeneratedColumn({ type: 'bigint', primaryKeyConstraintName: 'alarms_pkey' })
  id!: string;

  @Column({ type: 'text' })
  code!: string;

  /** Empty: about no account. */
  @Column({ name: 'account_id', type: 'text', default: '' })
  accountId!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text' })
  text!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since!: Date;

  /** Null while it is on. */
  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  /** When the host was notified of the begin; null before. */
  @Column({ name: 'notified_at', type: 'timestamptz', nullable: true })
  notifiedAt!: Date | null;

  /** When the host is notified next, or the end of a lease; null: nothing is pending. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Each lease increments it. */
  @Column({ type: 'integer', default: 0 })
  fence!: number;

  /** Failed calls of the begin, or of the end. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;
}
