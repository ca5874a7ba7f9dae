import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** An action on many emails, in progress or completed. */
@Entity(tableNamed('email_actions'))
@Index('email_actions_due', ['dueAt'], { where: 'due_at IS NOT NULL' })
@Index('email_actions_by_age', ['createdAt'])
export class EmailActionEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'email_actions_pkey' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ type: 'text' })
  action!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Id of the API key that requested it, for sender policies. Null: none. */
  @Column({ name: 'api_key_id', type: 'text', nullable: true })
  apiKeyId!: string | null;

  /** The domain that the key is bound to. Null: none. */
  @Column({ name: 'domain_id', type: 'text', nullable: true })
  domainId!: string | null;

  /** Ids of the emails, in the order of the work; postponed ones a second time at the end, once all others are done. Empty when completed. */
  @Column({ type: 'uuid', array: true })
  emails!: string[];

  /** Number of emails, each counted once. */
  @Column({ type: 'integer' })
  matched!: number;

  /** Number of entries of `emails` that are finished. */
  @Column({ type: 'integer', default: 0 })
  place!: number;

  /** Number of emails on which it acted. */
  @Column({ type: 'integer', default: 0 })
  done!: number;

  /** The first refusals. */
  @Column({ type: 'jsonb', default: [] })
  refused!: { id: string; message: string }[];

  /** A bit for each of `emails`: 1 for those to try again after all others. Null: none. */
  @Column({ type: 'bytea', nullable: true })
  postponed!: Buffer | null;

  /** When a worker should continue, or the end of the current lease. Null: completed. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  dueAt!: Date | null;

  /** Incremented with each lease, so that a late worker writes nothing. */
  @Column({ type: 'integer', default: 0 })
  fence!: number;
}
