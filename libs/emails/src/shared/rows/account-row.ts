import { Column, Generated, VirtualColumn } from 'typeorm';
import { isUuid } from '../text/is-uuid.js';

/**
 * A `timestamptz` in the format of the contract (section 3): six fractional digits, UTC. Null stays null. Read only.
 */
export const TimestampText = (column: string): PropertyDecorator =>
  VirtualColumn({
    type: 'text',
    query: (row) => `to_char(${row}.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00'`,
  });

/** Columns of every object that an account can list. */
export abstract class AccountRow {
  abstract id: string;

  /** Position in the list, unique within the account and increasing in the order of the commits. */
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

/** The id if it is well formed; undefined for any other text, which no account has. */
export function asId(text: string): { id: string } | undefined {
  return isUuid(text) ? { id: text } : undefined;
}
