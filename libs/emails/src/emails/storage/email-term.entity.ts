import { Entity, PrimaryColumn } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/**
 * What each email can be found by (`email-terms.ts`): an inverted index, in the order of the list. Written with the email
 * and never changed.
 */
@Entity({ schema: SCHEMA, name: 'email_terms' })
export class EmailTermEntity {
  /** A hash in which the account is. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'email_terms_pkey' })
  term!: string;

  /** The number of the email. */
  @PrimaryColumn({ type: 'bigint', primaryKeyConstraintName: 'email_terms_pkey' })
  seq!: string;
}
