import { Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/**
 * Search terms of emails (`email-terms.ts`): an inverted index, in the order of the list. Written with the email; those of
 * its transports with its attempts.
 */
@Entity(tableNamed('email_terms'))
export class EmailTermEntity {
  /** A hash of account and term. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'email_terms_pkey' })
  term!: string;

  /** The email's sequence number. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'email_terms_pkey' })
  seq!: string;
}
