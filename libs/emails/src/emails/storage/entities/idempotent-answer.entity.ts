import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** The whole first answer of an endpoint to a key, committed together with its emails. */
@Entity(tableNamed('idempotent_answers'))
@Index('idempotent_answers_expiry', ['expiresAt'])
export class IdempotentAnswerEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', primaryKeyConstraintName: 'idempotent_answers_pkey' })
  accountId!: string;

  /** The endpoint's path, such as `/emails/batch`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotent_answers_pkey' })
  endpoint!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'idempotent_answers_pkey' })
  key!: string;

  /** SHA-256 of the request's canonical form, in hex. */
  @Column({ name: 'request_hash', type: 'text' })
  requestHash!: string;

  /** The body of the answer. */
  @Column({ type: 'jsonb' })
  answer!: object;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
