import { Column, Entity, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { AccountRow, TimestampText } from '../shared/rows/account-row.js';
import { tableNamed } from '../shared/rows/schema.js';
import type { KnownVariable } from './known-variables.js';

/** The version of a template from which emails are made. */
export interface PublishedContent {
  from: string | null;
  subject: string | null;
  replyTo: string[];
  html: string | null;
  text: string | null;
  variables: KnownVariable[];
  sensitive: boolean;
}

/** SQL of a row's draft in the form of a published version. */
export const draftOf = (row: string): string =>
  `jsonb_build_object('from', ${row}.from_mailbox, 'subject', ${row}.subject, 'replyTo', ${row}.reply_to_mailboxes,
    'html', ${row}.html, 'text', ${row}.text, 'variables', ${row}.variables, 'sensitive', ${row}.sensitive)`;

/** A template: the draft, which is shown and changed, and the version that is sent. */
@Entity(tableNamed('templates'))
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

  /** Of emails that do not say otherwise. */
  @Column({ type: 'boolean', default: false })
  sensitive!: boolean;

  @Column({ name: 'updated_at', type: 'timestamptz', default: () => 'now()', select: false })
  updatedAt!: Date;

  @TimestampText('updated_at')
  updatedText!: string;

  /** Null: never published. */
  @Column({ name: 'published_at', type: 'timestamptz', nullable: true, select: false })
  publishedAt!: Date | null;

  @TimestampText('published_at')
  publishedText!: string | null;

  /** The published version, from which emails are made: the draft as it was at `publishedAt`. */
  @Column({ type: 'jsonb', nullable: true, select: false })
  published!: PublishedContent | null;

  /** The draft differs from the published version. */
  @VirtualColumn({ type: 'boolean', query: (row) => `${row}.published IS DISTINCT FROM ${draftOf(row)}` })
  isUnpublished!: boolean;
}
