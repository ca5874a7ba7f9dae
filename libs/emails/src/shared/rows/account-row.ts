import { Column, Generated, VirtualColumn } from 'typeorm';
import { isUuid } from '../text/is-uuid.js';

/** A `timestamptz` as the contract writes it (section 3): six fractional digits, UTC. Null stays null. Read only. */
export const TimestampText = (column: string): PropertyDecorator =>
  VirtualColumn({
    type: 'text',
    query: (row) => `to_char(${row}.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`,
  });

/** What every object has that an account can list. */
export abstract class AccountRow {
  abstract id: string;

  /** Place in the list, unique within the account and growing in the order of the commits. */
  @Column({ type: 'bigint' })
  @Generated('increment')
  seq!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()', select: false })
  createdAt!: Date;

  @TimestampText('created_at')
  createdText!: string;
}

/** The id if it can be one; what else is asked for exists in no account. */
export function asId(text: string): { id: string } | undefined {
  return isUuid(text) ? { id: text } : undefined;
}
