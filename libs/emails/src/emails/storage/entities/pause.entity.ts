import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

const KEY = 'pauses_pkey';

/** Mail that is accepted and kept, but not sent. Its due emails have `due_at = 'infinity'`. */
@Entity(tableNamed('pauses'))
export class PauseEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: KEY })
  scope!: 'all' | 'account' | 'topic' | 'template';

  /** Id of the account, topic or template; empty for all mail. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: KEY })
  subject!: string;

  /** Name of the transport that may not take it; empty for all of them. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: KEY })
  transport!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  since!: Date;

  @Column({ type: 'text' })
  reason!: string;
}
