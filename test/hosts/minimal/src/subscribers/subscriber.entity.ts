import { Entity, PrimaryColumn } from 'typeorm';

/** An address that is subscribed. The host may choose any table name, because the library has a separate schema. */
@Entity('emails')
export class SubscriberEntity {
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @PrimaryColumn({ type: 'text' })
  address!: string;
}
