import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PersonEraser, PersonToErase } from '../../index.js';
import { addressKey } from '../../shared/mailbox/address-key.js';
import { SCHEMA } from '../../shared/rows/schema.js';
import { ErasedForm } from './erased-form.js';

/**
 * Takes part when a person is erased: the entry stays in a form that does not contain the address, so that nothing is sent
 * to it by mistake. Without a secret the entry is removed.
 */
@Injectable()
export class SuppressionEraser implements PersonEraser {
  /** @internal Made by `feedback()`. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly erased: ErasedForm,
  ) {}

  async erase({ accountId, address, before }: PersonToErase): Promise<boolean> {
    const key = addressKey(address);
    const [form = null] = await this.erased.of([key]);
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      const clearCandidates = () =>
        manager.query(
          `DELETE FROM ${SCHEMA}.suppression_candidates WHERE account_id = $1 AND email_key = $2 AND created_at < $3`,
          [accountId, key, before],
        );
      // No bad hour ends until then: one that goes on makes candidates of entries, and one that ends entries of candidates.
      await manager.query(`SELECT FROM ${SCHEMA}.operator_holds FOR SHARE`);
      await manager.query(
        `DELETE FROM ${SCHEMA}.soft_bounces WHERE account_id = $1 AND email_key = $2 AND given_up_at < $3`,
        [accountId, key, before],
      );
      await clearCandidates();
      // An event of the removal has the mark of an erased person.
      await manager.query(
        `UPDATE ${SCHEMA}.suppressions SET email = NULL, reason = NULL, email_key = coalesce($4::text, email_key)
         WHERE account_id = $1 AND email_key = $2 AND created_at < $3
           AND NOT EXISTS (SELECT FROM ${SCHEMA}.suppressions WHERE account_id = $1 AND email_key = $4::text)`,
        [accountId, key, before, form],
      );
      // Without a form, or with an entry in it from an earlier erasure.
      await manager.query(
        `UPDATE ${SCHEMA}.suppressions SET email = NULL WHERE account_id = $1 AND email_key = $2 AND created_at < $3`,
        [accountId, key, before],
      );
      await manager.query(
        `DELETE FROM ${SCHEMA}.suppressions WHERE account_id = $1 AND email_key = $2 AND created_at < $3`,
        [accountId, key, before],
      );
      // An entry that was taken off meanwhile is one now.
      await clearCandidates();
    });
    return false;
  }
}
