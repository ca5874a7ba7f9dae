import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { findRows } from '../../../shared/rows/find-rows.js';
import { onMaster } from '../../../shared/rows/on-master.js';
import { Lookout, type Question } from '../../../shared/work/lookout.js';
import type { EmailEventType } from '../../states/email-states.js';
import type { RecipientState } from '../../states/recipient-state.js';
import { ContentOwners } from '../content-owners.js';
import { ErasureEntity } from '../entities/erasure.entity.js';
import * as sql from './erasure.sql.js';

/** An erasure under a lease. */
export interface ClaimedErasure {
  id: string;
  accountId: string;
  /** Envelope address; null when nothing can be found by it. */
  address: string | null;
  /** True if all emails were found. */
  searched: boolean;
  fence: number;
  /** When the erasure was requested. */
  before: Date;
}

/** An email that is neither locked nor being sent: its fields that may name a person. */
export interface ErasableEmail {
  id: string;
  seq: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
  headers: [string, string][];
  messageId: string;
  recipients: RecipientState[];
  lastEvent: EmailEventType;
  /** Number of ended attempts. */
  attempts: number;
  /** True if nothing is pending. */
  finished: boolean;
}

/** The same email without the person. */
export interface ErasedEmail extends Omit<ErasableEmail, 'attempts' | 'finished'> {
  /** True if nothing is pending. */
  over: boolean;
  /** True if it was canceled: no other recipient was left. */
  canceled: boolean;
  /** True if content, attachments and texts of events are deleted. */
  cleared: boolean;
  /** Envelope addresses that are removed. */
  addresses: string[];
  /** Texts of events that contain one of these are deleted. In lower case. */
  words: string[];
  /** The parts that are cleared as soon as nothing is pending. Then the other modules are asked too. */
  remainder: Remainder;
}

export interface Remainder {
  content: boolean;
  sender: boolean;
  messageId: boolean;
}

/** An email after a person was removed from it. */
export interface ClearedEmail {
  id: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  headers: [string, string][];
  /** True if its content and texts of events are deleted. */
  isCleared: boolean;
}

/** Emails of one step. */
export interface ClearedEmails {
  emails: ClearedEmail[];
  /** Place at which the step ended. */
  place: string;
}

interface CleanRow {
  place: string | null;
  emails: ClearedEmail[];
}

/** The event of a canceled email. */
export interface Cancellation {
  emailId: string;
  id: string;
  createdAt: Date;
}

/** How emails with a person are found and changed. */
export interface Search {
  /** Search terms of that person. */
  words: readonly string[];
  /** Limit of emails per step. */
  limit: number;
  /** Returns undefined when the email does not contain the person. */
  erase(email: ErasableEmail): ErasedEmail | undefined;
}

/** The methods that `ErasuresService` uses, for tests with another storage. */
export type ErasureStore = Pick<ErasureRepository, 'create' | 'find'>;

/** Limit of contents per question to owners. */
const CONTENTS = 1_000;

interface Held {
  place: string;
  leftOver: boolean;
}

@Injectable()
export class ErasureRepository {
  constructor(
    @InjectRepository(ErasureEntity) private readonly erasures: Repository<ErasureEntity>,
    private readonly owners: ContentOwners,
  ) {}

  /** @returns its id */
  async create(accountId: string, address: string): Promise<string> {
    const id = randomUUID();
    await this.erasures
      .createQueryBuilder()
      .insert()
      .values({ id, accountId, address, beforeSeq: () => sql.NEXT_SEQ })
      .updateEntity(false)
      .callListeners(false)
      .execute();
    return id;
  }

  async find(accountId: string, id: string): Promise<{ id: string; finished: boolean } | undefined> {
    const [found] = await onMaster(this.erasures.manager.connection, (manager) =>
      findRows(manager.getRepository(ErasureEntity), { select: { id: true, dueAt: true }, where: { id, accountId } }),
    );
    return found ? { id: found.id, finished: found.dueAt === null } : undefined;
  }

  /** Combines questions to this database with those of other parts. */
  get lookout(): Lookout {
    return Lookout.of(this.erasures.manager.connection);
  }

  /** Whether an erasure is due: a row, or none. */
  get question(): Question {
    return { sql: sql.DUE, values: [] };
  }

  /** Leases a due erasure for `lease` milliseconds. */
  async claim(lease: number): Promise<ClaimedErasure | undefined> {
    const rows: ClaimedErasure[] = await this.erasures.query(sql.CLAIM, [lease]);
    return rows[0];
  }

  /**
   * Removes the person from the next emails, and returns which of them are canceled by that. Emails that are locked or
   * being sent are skipped until the next round, which begins after `pause` milliseconds.
   */
  async search(claim: ClaimedErasure, search: Search, pause: number): Promise<Cancellation[]> {
    const canceled = await this.step(claim, async (manager, { place, leftOver }) => {
      const seqs = await this.findSeqs(manager, claim, search, place);
      const last = seqs.at(-1);
      if (last === undefined) {
        if (leftOver) await manager.query(sql.END_ROUND, [claim.id, pause]);
        else await manager.query(sql.END_SEARCH, [claim.id]);
        return [];
      }
      const locked: { id: string }[] = await manager.query(sql.LOCK, [claim.accountId, seqs]);
      const emails: ErasableEmail[] = await manager.query(sql.READ, [locked.map(({ id }) => id)]);
      const erased = emails.flatMap((email) => search.erase(email) ?? []);
      const canceled = await this.rewrite(manager, claim, search, erased);
      await manager.query(sql.PROCEED, [claim.id, last, emails.length < seqs.length]);
      return canceled;
    });
    return canceled ?? [];
  }

  /** Leaves the next email to the next round. */
  async passOver(claim: ClaimedErasure, search: Search): Promise<void> {
    await this.step(claim, async (manager, { place }) => {
      const [seq] = await this.findSeqs(manager, claim, { ...search, limit: 1 }, place);
      if (seq !== undefined) await manager.query(sql.PROCEED, [claim.id, seq, true]);
    });
  }

  /** Notes that nothing can be found by the address any more. */
  forgetAddress(claim: ClaimedErasure): Promise<void> {
    return this.update(claim, { address: null, dueAt: () => 'now()' });
  }

  /** Makes the erasure due at once: there is more to do. */
  goOn(claim: ClaimedErasure): Promise<void> {
    return this.update(claim, { dueAt: () => 'now()' });
  }

  /**
   * Clears those of the next `limit` emails that have nothing pending.
   *
   * @returns the emails as they are now, undefined when there are no more. Data of other modules about them is erased
   * before `forgetRemainders`
   */
  clear(claim: ClaimedErasure, limit: number): Promise<ClearedEmails | undefined> {
    return this.step(claim, async (manager, { place }) => {
      const [cleared]: CleanRow[] = await manager.query(sql.CLEAR_REMAINDERS, [claim.id, place, limit]);
      return cleared?.place ? { place: cleared.place, emails: cleared.emails } : undefined;
    });
  }

  /**
   * Deletes the next contents of cleared emails that no email and no owner refers to. No lock is held while owners are
   * asked: contents that are put meanwhile stay. Locked ones stay too: housekeeping deletes them if nothing refers to
   * them in the end.
   *
   * @returns `none` when there are no more, `undecided` when an owner did not answer
   */
  async deleteContents({ id }: ClaimedErasure): Promise<'deleted' | 'none' | 'undecided'> {
    const { manager } = this.erasures;
    const next: { hash: string; free: boolean }[] = await manager.query(sql.NEXT_CONTENTS, [id, CONTENTS]);
    if (next.length === 0) return 'none';
    const free = next.flatMap(({ hash, free }) => (free ? [hash] : []));
    const unowned = await this.owners.unowned(free, manager);
    if (!unowned) return 'undecided';
    await manager.transaction(async (manager) => {
      await manager.query(sql.BOUND_STEP);
      const locked: { hash: string }[] = await manager.query(sql.LOCK_CONTENTS, [unowned]);
      // A separate statement: it sees what was committed before the locks.
      await manager.query(sql.DELETE_CONTENTS, [locked.map(({ hash }) => hash)]);
      await manager.query(sql.FORGET_CONTENTS, [id, next.map(({ hash }) => hash)]);
    });
    return 'deleted';
  }

  /**
   * Ends a round. The last one, without pending emails and contents, ends the erasure.
   *
   * @param pauses shortest and longest time until the next round, in milliseconds
   */
  async endRound(claim: ClaimedErasure, [least, most]: readonly [number, number], isUndecided: boolean): Promise<void> {
    await this.step(claim, async (manager) => {
      const [next]: { wait: number | null }[] = await manager.query(sql.NEXT_REMAINDER, [claim.id]);
      const wait = next?.wait ?? null;
      if (wait === null && !isUndecided) await manager.query(sql.FINISH, [claim.id]);
      else await manager.query(sql.END_ROUND, [claim.id, Math.min(Math.max(wait ?? most, least), most)]);
    });
  }

  /** Notes that no module has data about these emails any more. */
  async forgetRemainders(claim: ClaimedErasure, { place, emails }: ClearedEmails): Promise<void> {
    await this.step(claim, async (manager) => {
      await manager.query(sql.FORGET_REMAINDERS, [claim.id, emails.map(({ id }) => id)]);
      await manager.query(sql.PROCEED, [claim.id, place, false]);
    });
  }

  /** Changes nothing when another worker continues the erasure. */
  private async update({ id, fence }: ClaimedErasure, changes: QueryDeepPartialEntity<ErasureEntity>): Promise<void> {
    await this.erasures
      .createQueryBuilder()
      .update()
      .set(changes)
      .where({ id, fence })
      .updateEntity(false)
      .callListeners(false)
      .execute();
  }

  /** A step in a transaction of its own. It does nothing when another worker continues the erasure. */
  private step<T>(
    { id, fence }: ClaimedErasure,
    work: (manager: EntityManager, held: Held) => Promise<T>,
  ): Promise<T | undefined> {
    return this.erasures.manager.transaction(async (manager) => {
      await manager.query(sql.BOUND_STEP);
      const [held]: Held[] = await manager.query(sql.HOLD, [id, fence]);
      return held && work(manager, held);
    });
  }

  private async findSeqs(
    manager: EntityManager,
    { accountId }: ClaimedErasure,
    { words, limit }: Search,
    place: string,
  ): Promise<string[]> {
    const rows: { seq: string }[] = await manager.query(sql.FIND_SEQS, [accountId, words, place, limit]);
    return rows.map(({ seq }) => seq);
  }

  private async rewrite(
    manager: EntityManager,
    { id, accountId }: ClaimedErasure,
    { words }: Search,
    erased: readonly ErasedEmail[],
  ): Promise<Cancellation[]> {
    if (erased.length === 0) return [];
    const canceled: Cancellation[] = await manager.query(sql.REWRITE, [JSON.stringify(erased), id]);
    await manager.query(sql.FORGET_WORDS, [accountId, words, erased.map(({ seq }) => seq)]);
    return canceled;
  }
}
