import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The same fields as ours, in one table. */
@Entity('book_emails')
@Index(['accountId', 'createdAt'])
export class BookEmail {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

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

  @Column({ type: 'text', nullable: true })
  text!: string | null;

  @Column({ type: 'jsonb' })
  headers!: Record<string, string>;

  @Column({ type: 'jsonb' })
  tags!: { name: string; value: string }[];

  @Column({ name: 'scheduled_at', type: 'timestamptz', nullable: true })
  scheduledAt!: Date | null;

  @Column({ name: 'last_event', type: 'text' })
  lastEvent!: string;

  @Column({ name: 'message_id', type: 'text', nullable: true })
  messageId!: string | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
