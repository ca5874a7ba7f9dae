import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** A slice of an attachment's bytes, stored once per account and content, for any number of emails. */
@Entity(tableNamed('attachment_contents'))
export class AttachmentContentEntity {
  /** Hash of account and content, see `AttachmentStorage`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'attachment_contents_pkey' })
  hash!: string;

  /** Slices are numbered from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'attachment_contents_pkey' })
  slice!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;

  /** When an email was last about to refer to it: recent contents are not cleaned up. */
  @Column({ name: 'touched_at', type: 'timestamptz', default: () => 'now()' })
  touchedAt!: Date;
}
