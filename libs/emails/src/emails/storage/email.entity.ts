import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/**
 * An email as it was accepted. Never updated, but for its place in the list, a time that it is rescheduled to, and content
 * whose retention has ended: what else changes lives in `deliveries` and `events`.
 */
@Entity({ schema: SCHEMA, name: 'emails' })
@Index('emails_by_account', ['accountId', 'seq'], { unique: true })
@Index('emails_by_message_id', ['accountId', 'messageId'], {
  unique: true,
  where: 'strpos(message_id, (id)::text) = 0',
})
export class EmailEntity {
  /** UUID version 7, made by the code. */
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'emails_pkey' })
  id!: string;

  /**
   * Place in its account's list. Grows in the order of commits, which no clock guarantees. Negative until the commit of
   * a host's transaction that the email joined.
   */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** `<…@…>` (RFC 5322 section 3.6.4), the same on every attempt. Has `id` in it, unless the caller gave it. */
  @Column({ name: 'message_id', type: 'text' })
  messageId!: string;

  @Column({ name: 'from_mailbox', type: 'text' })
  from!: string;

  @Column({ name: 'to_mailboxes', type: 'text', array: true })
  to!: string[];

  @Column({ name: 'cc_mailboxes', type: 'text', array: true })
  cc!: string[];

  @Column({ name: 'bcc_mailboxes', type: 'text', array: true })
  bcc!: string[];

  @Column({ name: 'reply_to_mailboxes', type: 'text', array: true })
  replyTo!: string[];

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text', nullable: true })
  html!: string | null;

  /** Null: derived from html when the message is built. Empty: no text part. */
  @Column({ type: 'text', nullable: true })
  text!: string | null;

  /** `[name, value]` pairs in the order given. */
  @Column({ type: 'jsonb' })
  headers!: [string, string][];

  @Column({ type: 'jsonb' })
  tags!: { name: string; value: string }[];

  @Column({ name: 'topic_id', type: 'uuid', nullable: true })
  topicId!: string | null;

  @Column({ name: 'scheduled_at', type: 'timestamptz', nullable: true })
  scheduledAt!: Date | null;

  /** Of its number, so that within an account both grow together. */
  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** What it will be found by once it is numbered; null from then on. */
  @Column({ name: 'pending_terms', type: 'bigint', array: true, nullable: true })
  pendingTerms!: string[] | null;

  /** True of an email without html, text and attachments; null of others. */
  @Column({ name: 'accepted_empty', type: 'boolean', nullable: true })
  acceptedEmpty!: boolean | null;

  /** The email whose content it has, when it was sent again as this one. */
  @Column({ name: 'resent_from', type: 'uuid', nullable: true })
  resentFrom!: string | null;
}
