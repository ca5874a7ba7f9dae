import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

const KEY = { primaryKeyConstraintName: 'event_totals_pkey' };

/** The sum of folded `event_counts`. Outlives the events. */
@Entity(tableNamed('event_totals'))
export class EventTotalEntity {
  @PrimaryColumn({ name: 'account_id', type: 'text', ...KEY })
  accountId!: string;

  @PrimaryColumn({ type: 'timestamptz', ...KEY })
  slot!: Date;

  @PrimaryColumn({ type: 'text', ...KEY })
  domain!: string;

  @PrimaryColumn({ type: 'text', ...KEY })
  kind!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
