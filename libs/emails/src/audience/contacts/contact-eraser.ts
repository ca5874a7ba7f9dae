import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PersonEraser, PersonToErase } from '../../index.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { SCHEMA } from '../../shared/rows/schema.js';

/**
 * Takes part when a person is erased: deletes the contact and its choices. Subscribers receive the deletion with the
 * contact's id and a fixed mark in place of the address. For `personErasers` of `EmailsModule`.
 */
@Injectable()
export class ContactEraser implements PersonEraser {
  constructor(private readonly dataSource: DataSource) {}

  async erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query(`SET LOCAL ${SCHEMA}.erasing = 'on'`);
      await manager.query(
        `DELETE FROM ${SCHEMA}.contacts WHERE account_id = $1 AND email_key = $2 AND created_at < $3`,
        [accountId, addressKey(address), before],
      );
    });
    return false;
  }
}
