import { Column, Entity, Generated, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../access/entities/account.entity.js';
import type { TemplateVariableRecord } from './read-template-variables.js';

/** The draft of a template, which is what is shown and changed, and beside it the version that is sent. */
@Entity({ name: 'templates' })
@Index('templates_by_account', ['accountId', 'seq'], { unique: true })
@Index('templates_by_alias', ['accountId', 'alias'], { unique: true })
export class TemplateEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'templates_pkey' })
  id!: string;

  /** Place in the list. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'templates_account_fkey' })
  account?: AccountEntity;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  alias!: string | null;

  @Column({ name: 'from_mailbox', type: 'text', nullable: true })
  from!: string | null;

  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  @Column({ name: 'reply_to_mailboxes', type: 'text', array: true, default: [] })
  replyTo!: string[];

  @Column({ type: 'text', nullable: true })
  html!: string | null;

  @Column({ type: 'text', nullable: true })
  text!: string | null;

  @Column({ type: 'jsonb', default: [] })
  variables!: TemplateVariableRecord[];

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;

  /** Null: never published. */
  @Column({ name: 'published_at', type: 'timestamptz', nullable: true })
  publishedAt!: Date | null;

  /** What emails are made from: the draft as it was at `publishedAt`. */
  @Column({ type: 'jsonb', nullable: true })
  published!: object | null;
}
