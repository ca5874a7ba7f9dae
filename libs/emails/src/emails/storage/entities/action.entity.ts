import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../../shared/rows/account-row.js';
import { tableNamed } from '../../../shared/rows/schema.js';

/** A change that a caller asked for. */
@Entity(tableNamed('actions'))
@Index('actions_by_account', ['accountId', 'seq'], { unique: true })
@Index('actions_by_name', ['accountId', 'action', 'seq'])
@Index('actions_by_age', ['createdAt'])
export class ActionEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'actions_pkey' })
  id!: string;

  /** `noun.verb`, such as `email.cancel`. */
  @Column({ type: 'text' })
  action!: string;

  /** The page, or the API with a key. */
  @Column({ type: 'text' })
  source!: 'page' | 'api';

  /** The API key of the request; null where the host signs people in by other means. */
  @Column({ name: 'key_id', type: 'text', nullable: true })
  keyId!: string | null;

  /** The page's session; null for requests without one. */
  @Column({ name: 'session_id', type: 'text', nullable: true })
  sessionId!: string | null;

  /** Changed objects; of many, the first. */
  @Column({ type: 'text', array: true })
  ids!: string[];

  /** How many were changed. */
  @Column({ type: 'integer' })
  count!: number;
}
