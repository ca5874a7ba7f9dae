import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';
import { EmailEntity } from './email.entity.js';
import { ErasureEntity } from './erasure.entity.js';

/** An email with other pending recipients, and the parts of it that are cleared after their delivery. */
@Entity(tableNamed('erasure_remainders'))
@Index('erasure_remainders_by_email', ['emailId'])
export class ErasureRemainderEntity {
  @PrimaryColumn({ name: 'erasure_id', type: 'uuid', primaryKeyConstraintName: 'erasure_remainders_pkey' })
  erasureId!: string;

  @ManyToOne(() => ErasureEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'erasure_id', foreignKeyConstraintName: 'erasure_remainders_erasure_fkey' })
  erasure?: ErasureEntity;

  /** The email's sequence number. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'erasure_remainders_pkey' })
  seq!: string;

  @Column({ name: 'email_id', type: 'uuid' })
  emailId!: string;

  @ManyToOne(() => EmailEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'email_id', foreignKeyConstraintName: 'erasure_remainders_email_fkey' })
  email?: EmailEntity;

  /** True if it was also to that person: then its content is cleared. */
  @Column({ type: 'boolean' })
  content!: boolean;

  /** True if it is from that person: a message needs its sender until it is sent. */
  @Column({ type: 'boolean' })
  sender!: boolean;

  /** True if its message id, which was on the wire, names that person. */
  @Column({ name: 'message_id', type: 'boolean' })
  messageId!: boolean;
}
