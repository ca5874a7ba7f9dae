import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import type { Subscription } from './subscription.js';
import type { Visibility } from './visibility.js';

/** What emails can be about, so that contacts can choose. */
@Entity({ schema: SCHEMA, name: 'topics' })
@Index('topics_by_account', ['accountId', 'seq'], { unique: true })
export class TopicEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'topics_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** What holds for those who made no choice. Never changes. */
  @Column({ name: 'default_subscription', type: 'text' })
  defaultSubscription!: Subscription;

  @Column({ type: 'text', default: 'private' })
  visibility!: Visibility;
}
