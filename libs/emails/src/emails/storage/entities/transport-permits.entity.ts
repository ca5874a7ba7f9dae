import { Column, Entity, PrimaryColumn } from 'typeorm';
import { tableNamed } from '../../../shared/rows/schema.js';

/** Recipients that a transport with limits was given. Only for transports with limits. */
@Entity(tableNamed('transport_permits'))
export class TransportPermitsEntity {
  /** Its name. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'transport_permits_pkey' })
  transport!: string;

  /** In UTC. */
  @Column({ type: 'date' })
  day!: string;

  /** Recipients of that day. */
  @Column({ type: 'bigint', default: 0 })
  used!: string;

  /** When the next recipient may be given. */
  @Column({ name: 'next_at', type: 'timestamptz', default: () => 'now()' })
  nextAt!: Date;
}
