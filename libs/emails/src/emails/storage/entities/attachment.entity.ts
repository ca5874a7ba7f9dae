import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';
import { EmailEntity } from './email.entity.js';

/** One attachment of one email. Its bytes are in the attachment storage under `contentHash`. */
@Entity(tableNamed('attachments'))
@Index('attachments_by_content', ['contentHash'])
export class AttachmentEntity {
  @PrimaryColumn({ name: 'email_id', type: 'uuid', primaryKeyConstraintName: 'attachments_pkey' })
  emailId!: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'attachments_pkey' })
  position!: number;

  @ManyToOne(() => EmailEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'email_id', foreignKeyConstraintName: 'attachments_email_fkey' })
  email?: EmailEntity;

  @Column({ type: 'text', nullable: true })
  filename!: string | null;

  @Column({ name: 'content_type', type: 'text' })
  contentType!: string;

  @Column({ name: 'content_id', type: 'text', nullable: true })
  contentId!: string | null;

  /** Hash of account and content, see `AttachmentStorage`. */
  @Column({ name: 'content_hash', type: 'text' })
  contentHash!: string;

  /** Bytes before base64. */
  @Column({ type: 'integer' })
  size!: number;
}
