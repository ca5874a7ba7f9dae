import { Column, Entity, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { AccountRow, TimestampText } from '../shared/rows/account-row.js';
import { SCHEMA } from '../shared/rows/schema.js';
import type { KnownVariable } from './read-template-variables.js';

/** A version of a template, as emails are made from it. */
export interface PublishedContent {
  from: string | null;
  subject: string | null;
  replyTo: string[];
  html: string | null;
  text: string | null;
  variables: KnownVariable[];
}

/** The draft of a row as SQL, as it is published. */
export const draftOf = (row: string): string =>
  `jsonb_build_object('from', ${row}.from_mailbox, 'subject', ${row}.subject, 'replyTo', ${row}.reply_to_mailboxes,
    'html', ${row}.html, 'text', ${row}.text, 'variables', ${row}.variables)`;

/** The draft of a template, which is what is shown and changed, and beside it the version that is sent. */
@Entity({ schema: SCHEMA, name: 'templates' })
@Index('templates_by_account', ['accountId', 'seq'], { unique: true })
@Index('templates_by_alias', ['accountId', 'alias'], { unique: true })
export class TemplateEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'templates_pkey' })
  id!: string;

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
  variables!: KnownVariable[];

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()', select: false })
  updatedAt!: Date;

  @TimestampText('updated_at')
  updatedText!: string;

  /** Null: never published. */
  @Column({ name: 'published_at', type: 'timestamptz', nullable: true, select: false })
  publishedAt!: Date | null;

  @TimestampText('published_at')
  publishedText!: string | null;

  /** What emails are made from: the draft as it was at `publishedAt`. */
  @Column({ type: 'jsonb', nullable: true, select: false })
  published!: PublishedContent | null;

  /** The draft is not what emails are made from. */
  @VirtualColumn({ type: 'boolean', query: (row) => `${row}.published IS DISTINCT FROM ${draftOf(row)}` })
  isUnpublished!: boolean;
}
