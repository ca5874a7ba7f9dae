import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { AccountRow } from '../../shared/rows/account-row.js';
import { tableNamed } from '../../shared/rows/schema.js';
import type { Subscription } from './subscription.js';
import type { Visibility } from './visibility.js';

/** A subject of emails that contacts can subscribe to. */
@Entity(tableNamed('topics'))
@Index('topics_by_account', ['accountId', 'seq'], { unique: true })
export class TopicEntity extends AccountRow {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'topics_pkey' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** Default for contacts without a choice. It never changes. */
  @Column({ name: 'default_subscription', type: 'text' })
  defaultSubscription!: Subscription;

  @Column({ type: 'text', default: 'private' })
  visibility!: Visibility;
}
