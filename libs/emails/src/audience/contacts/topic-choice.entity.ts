import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../shared/rows/schema.js';
import type { Subscription } from '../topics/subscription.js';
import { TopicEntity } from '../topics/topic.entity.js';
import { ContactEntity } from './contact.entity.js';

/** A contact's choice on a topic. Without a row the topic's default holds. */
@Entity(tableNamed('topic_choices'))
@Index('topic_choices_by_topic', ['topicId'])
export class TopicChoiceEntity {
  @PrimaryColumn({ name: 'contact_id', type: 'uuid', primaryKeyConstraintName: 'topic_choices_pkey' })
  contactId!: string;

  @PrimaryColumn({ name: 'topic_id', type: 'uuid', primaryKeyConstraintName: 'topic_choices_pkey' })
  topicId!: string;

  @ManyToOne(() => ContactEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'contact_id', foreignKeyConstraintName: 'topic_choices_contact_fkey' })
  contact?: ContactEntity;

  @ManyToOne(() => TopicEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'topic_id', foreignKeyConstraintName: 'topic_choices_topic_fkey' })
  topic?: TopicEntity;

  @Column({ type: 'text' })
  subscription!: Subscription;
}
