import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Action, ActionLog } from '../../../shared/actions/action-log.js';
import type { Caller } from '../../../shared/callers/caller.js';
import { AccountRepository } from '../../../shared/rows/account.repository.js';
import { sqlOf, type Transaction } from '../../../shared/rows/sql-transaction.js';
import { transactionFor } from '../../../shared/rows/transaction-for.js';
import { storableText } from '../../../shared/text/storable-text.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { ActionEntity } from '../entities/action.entity.js';

/** Limit of an id that the host gives. Characters. */
const MAX_ID = 255;

const INSERT = `
INSERT INTO nestjs_emails.actions (id, account_id, action, source, key_id, session_id, ids, count)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** $1: limit of rows, $2: age in milliseconds. */
const DELETE_OLD = `
WITH deleted AS (
  DELETE FROM nestjs_emails.actions WHERE id IN (
    SELECT id FROM nestjs_emails.actions WHERE created_at < now() - $2::float8 * interval '1 millisecond'
    ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1
)
SELECT count(*)::integer AS count FROM deleted`;

/** The columns of an action. */
export type ActionValues = Pick<
  ActionEntity,
  'id' | 'accountId' | 'action' | 'source' | 'keyId' | 'sessionId' | 'ids' | 'count'
>;

/** The row of an action, in storable form. */
export function actionValues(
  { accountId, apiKeyId, page }: Caller,
  { action, ids, count = ids.length }: Action,
): ActionValues {
  return {
    id: randomUUID(),
    accountId,
    action,
    source: page ? 'page' : 'api',
    keyId: storableId(apiKeyId),
    sessionId: storableId(page?.sessionId),
    ids: ids.slice(0, EMAIL_LIMITS.recordedIds.max),
    count,
  };
}

/** The changes that callers asked for. */
@Injectable()
export class ActionsRepository extends AccountRepository<ActionEntity> implements ActionLog {
  constructor(@InjectRepository(ActionEntity) rows: Repository<ActionEntity>) {
    super(rows);
  }

  async record(caller: Caller, action: Action, transaction?: Transaction): Promise<void> {
    const { id, accountId, action: name, source, keyId, sessionId, ids, count } = actionValues(caller, action);
    const values = [id, accountId, name, source, keyId, sessionId, ids, count];
    await sqlOf(transactionFor(this.repository.manager, transaction)).query(INSERT, values);
  }

  /** Resolves with the number of deleted rows. Fewer than `limit` means that none is left. */
  async deleteOld(limit: number, age: number): Promise<number> {
    const rows: { count: number }[] = await this.repository.query(DELETE_OLD, [limit, age]);
    return rows[0]?.count ?? 0;
  }
}

function storableId(id: string | null | undefined): string | null {
  return id === undefined || id === null ? null : storableText(id, MAX_ID);
}
