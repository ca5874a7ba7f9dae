import { Column, Entity, Generated, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../access/entities/account.entity.js';
import type { Subscription } from './subscription.js';

/** What emails can be about, so that contacts can choose. */
@Entity({ name: 'topics' })
@Index('topics_by_account', ['accountId', 'seq'], { unique: true })
export class TopicEntity {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'topics_pkey' })
  id!: string;

  /** Place in the list. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @ManyToOne(() => AccountEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'topics_account_fkey' })
  account?: AccountEntity;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  description!: string | null;

  /** What holds for those who made no choice. Never changes. */
  @Column({ name: 'default_subscription', type: 'text' })
  defaultSubscription!: Subscription;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;
}
