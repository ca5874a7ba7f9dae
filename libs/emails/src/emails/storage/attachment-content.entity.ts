import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/** A slice of an attachment's bytes, stored once per account and content however many emails carry it. */
@Entity({ schema: SCHEMA, name: 'attachment_contents' })
export class AttachmentContentEntity {
  /** Of account and content, see `AttachmentStorage`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'attachment_contents_pkey' })
  hash!: string;

  /** Slices are numbered from 0. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'attachment_contents_pkey' })
  slice!: number;

  @Column({ type: 'bytea' })
  content!: Buffer;

  /** When an email was last about to refer to it: fresh contents are not cleaned up. */
  @Column({ name: 'touched_at', type: 'timestamptz', default: () => 'now()' })
  touchedAt!: Date;
}
