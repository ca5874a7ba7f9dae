import { Entity, PrimaryColumn } from 'typeorm';

/** An address that is subscribed. The table's name is the host's own affair: the library's are in their own schema. */
@Entity('emails')
export class SubscriberEntity {
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @PrimaryColumn({ type: 'text' })
  address!: string;
}
