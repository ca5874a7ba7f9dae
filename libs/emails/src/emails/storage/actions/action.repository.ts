import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { DataSource, Repository } from 'typeorm';
import type { ActionLog } from '../../../shared/actions/action-log.js';
import type { Caller } from '../../../shared/callers/caller.js';
import { isStatementEnded } from '../../../shared/errors/database-errors.js';
import { onMaster } from '../../../shared/rows/on-master.js';
import { Lookout } from '../../../shared/work/lookout.js';
import type { AnswerClaim } from '../accept/answer.repository.js';
import { BEGIN } from '../deliver/change.sql.js';
import { type Transaction, transactOnce } from '../deliver/transact-once.js';
import { EmailActionEntity } from '../entities/email-action.entity.js';
import { ActionsRepository } from '../keep/actions.repository.js';
import { ALL, askFiltered, askFilteredWithin, countOf, NO_FILTERS } from '../read/filtered-page.js';
import type { EmailFilters } from '../read/page-bounds.js';
import * as sql from './action.sql.js';

/** The emails of a new action. */
export interface ActionSelection {
  /** Distinct ids in lower case. Undefined: all emails that match `filters`. */
  ids?: readonly string[] | undefined;
  /** Undefined: all emails. */
  filters?: EmailFilters | undefined;
  /** Emails with this sequence number or a larger one came too late. Undefined: none did. */
  beforeSeq?: string | undefined;
  limit: number;
}

/** An action to be stored. */
export interface NewAction extends ActionSelection {
  id: string;
  accountId: string;
  action: string;
  apiKeyId: string | null;
  domainId: string | null;
  /** Its answer is stored under this key. */
  claim: (AnswerClaim & { answer: object }) | null;
  /** The caller who asked for it, to be recorded. */
  caller: Caller | undefined;
}

/**
 * `taken`: another request has the idempotency key. `too many`: more emails than the limit; `count` is undefined when
 * counting takes too long.
 */
export type StartResult = { kind: 'started' } | { kind: 'taken' } | { kind: 'too many'; count: number | undefined };

/** An action as it is shown, before naming. */
export interface FoundAction {
  id: string;
  action: string;
  completed: boolean;
  createdAt: string;
  matched: number;
  done: number;
  refused: { id: string; message: string }[];
}

/** An action under a lease, and its next emails. */
export interface ClaimedAction {
  id: string;
  accountId: string;
  action: string;
  apiKeyId: string | null;
  domainId: string | null;
  fence: number;
  /** Position of the first of `emails`. */
  place: number;
  /** Number of emails, without repetitions of postponed ones. */
  matched: number;
  emails: string[];
}

/** The position of an email of an action under a lease. */
export interface ActionPlace extends Pick<ClaimedAction, 'id' | 'fence'> {
  place: number;
}

/** Result of an email: acted on, refused, or to be tried again after all others. */
export type EmailResult = { done: true } | { refusal: string } | { postponed: true };

/** Another worker continues the action, or an earlier attempt of this one was recorded. */
export class LostActionError extends Error {
  override readonly name = 'LostActionError';
}

/** Duration of a lease, far above that of the work on one email. Milliseconds. */
const LEASE = 30_000;

/** The methods of `ActionRepository`, for tests with another storage. */
export type ActionStore = Pick<ActionRepository, keyof ActionRepository>;

/** Actions on many emails, and their progress. */
@Injectable()
export class ActionRepository {
  constructor(
    @InjectRepository(EmailActionEntity) private readonly actions: Repository<EmailActionEntity>,
    @Inject(ActionsRepository) private readonly log: ActionLog,
  ) {}

  /**
   * Stores an action on emails that exist now, and its answer: all or nothing.
   *
   * @throws SQLSTATE 57014 when the emails cannot be found within `FILTERING` milliseconds
   * @throws OutcomeUnknownError when the connection was lost and it may be stored or not
   */
  async start(action: NewAction): Promise<StartResult> {
    try {
      return await transactOnce(this.dataSource, BEGIN, async (transaction) => {
        if (!(await claimKey(transaction, action))) return { kind: 'taken' };
        await transaction.query(sql.DELETE_OLD);
        const inserted = await insert(transaction, action);
        if (!inserted) throw new TooManyError();
        const { caller } = action;
        if (caller && inserted.count > 0) {
          await this.log.record(caller, { action: `email.${action.action}`, ...inserted }, transaction);
        }
        return { kind: 'started' };
      });
    } catch (error) {
      if (!(error instanceof TooManyError)) throw error;
      return { kind: 'too many', count: await this.count(action) };
    }
  }

  /** An action of this account. */
  async find(accountId: string, id: string): Promise<FoundAction | undefined> {
    const rows = await onMaster(this.dataSource, (manager) => manager.query(sql.FIND, [accountId, id]));
    return (rows as FoundAction[])[0];
  }

  /** Calls back whenever an action is due. @returns the function that ends it */
  watch(onDue: () => void): () => void {
    return Lookout.of(this.dataSource).watch({
      question: () => ({ sql: sql.DUE, values: [] }),
      answered: (due) => due.length > 0 && onDue(),
      failed: () => {},
    });
  }

  /** Leases a due action, with up to `limit` emails. */
  async claim(limit: number): Promise<ClaimedAction | undefined> {
    const rows: ClaimedAction[] = await this.actions.query(sql.CLAIM, [LEASE, limit]);
    return rows[0];
  }

  /**
   * Records the result of the email at this place, within the transaction that changes it, or in its own.
   *
   * @throws LostActionError when the lease or the place has moved
   */
  async advance(place: ActionPlace, email: string, result: EmailResult, transaction?: Transaction): Promise<void> {
    const values = [
      place.id,
      place.fence,
      place.place,
      'done' in result ? 1 : 0,
      'refusal' in result ? JSON.stringify([{ id: email, message: result.refusal }]) : null,
      'postponed' in result,
      LEASE,
    ];
    const moved = transaction
      ? (await transaction.query(sql.ADVANCE, values)).rows
      : updated(await this.actions.query(sql.ADVANCE, values));
    if (moved.length === 0) throw new LostActionError();
  }

  /** Ends the lease, and an action without further emails. @param pause until it is due again, in milliseconds */
  async release({ id, fence }: ClaimedAction, pause: number): Promise<void> {
    await this.actions.query(sql.RELEASE, [id, fence, pause]);
  }

  private async count({ accountId, ids, filters = NO_FILTERS, ...selection }: NewAction): Promise<number | undefined> {
    if (ids) return ids.length;
    const statement = { sql: countOf, values: [], isPage: false };
    const question = { accountId, filters, cursor: cursorOf(selection), limit: ALL, statement };
    try {
      const [counted] = await askFiltered<{ count: number }>(this.dataSource, question);
      return counted?.count;
    } catch (error) {
      if (isStatementEnded(error)) return undefined;
      throw error;
    }
  }

  private get dataSource(): DataSource {
    return this.actions.manager.connection;
  }
}

interface StoredEmails {
  count: number;
  ids: string[];
}

class TooManyError extends Error {}

/** Waits for a request with the same key. */
async function claimKey(transaction: Transaction, { accountId, claim }: NewAction): Promise<boolean> {
  if (!claim) return true;
  const { endpoint, key, requestHash, answer, retention } = claim;
  const values = [accountId, endpoint, key, requestHash, JSON.stringify(answer), retention];
  return (await transaction.query(sql.CLAIM_KEY, values)).rows.length > 0;
}

/** The number of its emails, and the ids of the first. Undefined: there are too many. */
async function insert(transaction: Transaction, action: NewAction): Promise<StoredEmails | undefined> {
  const { id, accountId, ids, filters = NO_FILTERS, beforeSeq = null, limit } = action;
  const values = [id, action.action, action.apiKeyId, action.domainId];
  if (ids) {
    const named = [accountId, beforeSeq, limit + 1, ...values, ids];
    return (await transaction.query<StoredEmails>(sql.INSERT_NAMED, named)).rows[0];
  }
  const statement = { sql: sql.insertAction, values, isPage: false };
  const question = { accountId, filters, cursor: cursorOf(action), limit: limit + 1, statement };
  return (await askFilteredWithin<StoredEmails>(transaction, question))[0];
}

function cursorOf({ beforeSeq }: Pick<ActionSelection, 'beforeSeq'>) {
  return beforeSeq === undefined ? undefined : { direction: 'older' as const, seq: beforeSeq };
}

/** The rows of an UPDATE, which TypeORM returns with their number. */
function updated([rows]: [unknown[], number]): unknown[] {
  return rows;
}
