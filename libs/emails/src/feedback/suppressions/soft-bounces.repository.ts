import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SCHEMA } from '../../shared/rows/schema.js';

/** Emails in a row that suppress an address, the time in which they count, and for how long it is suppressed. Milliseconds. */
const IN_A_ROW = 3;
export const SOFT_SPAN = 14 * 86_400_000;

/** An email that was given up for one recipient. */
export interface SoftBounce {
  /** `addressKey` of the address. */
  emailKey: string;
  emailId: string;
  givenUpAt: Date;
}

/** Counts emails in a row that were given up. Deliveries are not recorded here: they are looked up when there are enough. */
@Injectable()
export class SoftBouncesRepository {
  /** Records an email, once. Resolves with true when the address is to be suppressed; then its count starts again. */
  async record(
    manager: EntityManager,
    accountId: string,
    { emailKey, emailId, givenUpAt }: SoftBounce,
  ): Promise<boolean> {
    await manager.query(
      `INSERT INTO ${SCHEMA}.soft_bounces (account_id, email_key, email_id, given_up_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [accountId, emailKey, emailId, givenUpAt],
    );
    if ((await this.count(manager, accountId, emailKey)) < IN_A_ROW) return false;
    await this.forgetBefore(manager, accountId, emailKey, `${SCHEMA}.last_delivered($1, $2)`);
    if ((await this.count(manager, accountId, emailKey)) < IN_A_ROW) return false;
    await this.forgetBefore(manager, accountId, emailKey, `'infinity'`);
    return true;
  }

  private async count(manager: EntityManager, accountId: string, emailKey: string): Promise<number> {
    const [found]: { count: number }[] = await manager.query(
      `SELECT count(*)::integer AS count FROM ${SCHEMA}.soft_bounces
       WHERE account_id = $1 AND email_key = $2 AND given_up_at > now() - $3 * interval '1 millisecond'`,
      [accountId, emailKey, SOFT_SPAN],
    );
    return found?.count ?? 0;
  }

  /** @param time as SQL; null: nothing is forgotten */
  private async forgetBefore(manager: EntityManager, accountId: string, emailKey: string, time: string): Promise<void> {
    await manager.query(
      `DELETE FROM ${SCHEMA}.soft_bounces WHERE account_id = $1 AND email_key = $2 AND given_up_at < ${time}`,
      [accountId, emailKey],
    );
  }
}
