import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';
import { EmailEntity } from './email.entity.js';
import { ErasureEntity } from './erasure.entity.js';

/** An email that others are still to get, and what of it is cleared when they have got it. */
@Entity({ schema: SCHEMA, name: 'erasure_remainders' })
@Index('erasure_remainders_by_email', ['emailId'])
export class ErasureRemainderEntity {
  @PrimaryColumn({ name: 'erasure_id', type: 'uuid', primaryKeyConstraintName: 'erasure_remainders_pkey' })
  erasureId!: string;

  @ManyToOne(() => ErasureEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'erasure_id', foreignKeyConstraintName: 'erasure_remainders_erasure_fkey' })
  erasure?: ErasureEntity;

  /** The email's number. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'erasure_remainders_pkey' })
  seq!: string;

  @Column({ name: 'email_id', type: 'uuid' })
  emailId!: string;

  @ManyToOne(() => EmailEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'email_id', foreignKeyConstraintName: 'erasure_remainders_email_fkey' })
  email?: EmailEntity;

  /** It was to that person too: its content goes. */
  @Column({ type: 'boolean' })
  content!: boolean;

  /** It is from that person: no message is without a sender. */
  @Column({ type: 'boolean' })
  sender!: boolean;

  /** Its message id names that person, and was on the wire. */
  @Column({ name: 'message_id', type: 'boolean' })
  messageId!: boolean;
}
