import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { onMaster } from '../../shared/rows/on-master.js';
import { Lookout, type Question } from '../../shared/work/lookout.js';
import type { EmailEventType } from '../states/email-states.js';
import type { RecipientState } from '../states/recipient-state.js';
import * as sql from './erasure.sql.js';

/** An erasure under a lease. */
export interface ClaimedErasure {
  id: string;
  accountId: string;
  /** Envelope address; null when nothing is left to be found by it. */
  address: string | null;
  /** All emails were found. */
  searched: boolean;
  fence: number;
  /** When it was asked for. */
  before: Date;
}

/** An email in nobody's hands, as far as somebody may be named in it. */
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
  /** Attempts that ended. */
  attempts: number;
  /** Nothing is owed any more. */
  finished: boolean;
}

/** The same without somebody. */
export interface ErasedEmail extends Omit<ErasableEmail, 'attempts' | 'finished'> {
  /** Nothing is owed any more. */
  over: boolean;
  /** Nobody was left. */
  canceled: boolean;
  /** Whether content, attachments and texts of events go. */
  cleared: boolean;
  /** Envelope addresses that go. */
  addresses: string[];
  /** Texts of events with one of these go. In lower case. */
  words: string[];
  /** What is cleared as soon as nothing is owed. And others may keep something of it: they are asked then. */
  remainder: Remainder;
}

export interface Remainder {
  content: boolean;
  sender: boolean;
  messageId: boolean;
}

/** An email from which somebody was taken out, as it is now. */
export interface ClearedEmail {
  id: string;
  messageId: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  headers: [string, string][];
  /** Whether its content and texts of events are gone. */
  isCleared: boolean;
}

/** Emails of one step. */
export interface ClearedEmails {
  emails: ClearedEmail[];
  /** That the step came to. */
  place: string;
}

interface CleanRow {
  place: string | null;
  emails: ClearedEmail[];
  contents: string[];
}

/** An event that canceled an email. */
export interface Cancellation {
  emailId: string;
  id: string;
  createdAt: Date;
}

/** How somebody is looked for and taken out. */
export interface Search {
  /** What emails with that person can be found by. */
  words: readonly string[];
  /** Emails of one step. */
  limit: number;
  /** Undefined: that person is not in it. */
  erase(email: ErasableEmail): ErasedEmail | undefined;
}

/** What `ErasuresService` asks, for tests that keep erasures elsewhere. */
export type ErasureStore = Pick<ErasureRepository, 'create' | 'find'>;

interface Held {
  /** True for the first step of a round. */
  isFirst: boolean;
  place: string;
  leftOver: boolean;
  beforeSeq: string;
}

@Injectable()
export class ErasureRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns its id */
  async create(accountId: string, address: string): Promise<string> {
    const id = randomUUID();
    await this.dataSource.query(sql.CREATE, [id, accountId, address]);
    return id;
  }

  async find(accountId: string, id: string): Promise<{ id: string; finished: boolean } | undefined> {
    const rows: { id: string; finished: boolean }[] = await onMaster(this.dataSource, (manager) =>
      manager.query(sql.FIND, [accountId, id]),
    );
    return rows[0];
  }

  /** Asks questions of this database together with those of others. */
  get lookout(): Lookout {
    return Lookout.of(this.dataSource);
  }

  /** Whether an erasure is due: a row, or none. */
  get question(): Question {
    return { sql: sql.DUE, values: [] };
  }

  /** Leases one that is due, for so many milliseconds. */
  async claim(lease: number): Promise<ClaimedErasure | undefined> {
    const rows: ClaimedErasure[] = await this.dataSource.query(sql.CLAIM, [lease]);
    return rows[0];
  }

  /**
   * Takes the person out of the next emails, and tells which of them are canceled by that. What is in somebody's hands is
   * passed over until the next round, which begins after `pause` milliseconds.
   */
  async search(claim: ClaimedErasure, search: Search, pause: number): Promise<Cancellation[]> {
    const canceled = await this.step(claim, async (manager, held) => {
      const isLeftOver = held.leftOver || (held.isFirst && (await this.hasUnindexed(manager, claim, held)));
      const seqs = await this.findSeqs(manager, claim, search, held.place);
      const last = seqs.at(-1);
      if (last === undefined) {
        if (isLeftOver) await manager.query(sql.END_ROUND, [claim.id, pause]);
        else await manager.query(sql.END_SEARCH, [claim.id]);
        return [];
      }
      const locked: { id: string }[] = await manager.query(sql.LOCK, [claim.accountId, seqs]);
      const emails: ErasableEmail[] = await manager.query(sql.READ, [locked.map(({ id }) => id)]);
      const erased = emails.flatMap((email) => search.erase(email) ?? []);
      const canceled = await this.rewrite(manager, claim, search, erased);
      await manager.query(sql.PROCEED, [claim.id, last, isLeftOver || emails.length < seqs.length]);
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

  /** Nothing can be found by the address any more. */
  async forgetAddress({ id, fence }: ClaimedErasure): Promise<void> {
    await this.dataSource.query(sql.FORGET_ADDRESS, [id, fence]);
  }

  /** There is more to do, at once. */
  async goOn({ id, fence }: ClaimedErasure): Promise<void> {
    await this.dataSource.query(sql.GO_ON, [id, fence]);
  }

  /**
   * Clears those of the next `limit` emails to which nothing is owed any more, and ends the erasure with the last of all.
   *
   * @param pauses least and most milliseconds until the next round
   * @returns the emails as they are now; what others keep of them goes before `finish`
   */
  async clear(
    claim: ClaimedErasure,
    limit: number,
    [least, most]: readonly [number, number],
  ): Promise<ClearedEmails | undefined> {
    return this.step(claim, async (manager, { place }) => {
      const [cleared]: CleanRow[] = await manager.query(sql.CLEAR_REMAINDERS, [claim.id, place, limit]);
      if (cleared?.place) {
        await this.deleteContents(manager, cleared.contents);
        return { place: cleared.place, emails: cleared.emails };
      }
      const [next]: { wait: number | null }[] = await manager.query(sql.NEXT_REMAINDER, [claim.id]);
      const wait = next?.wait ?? null;
      if (wait === null) await manager.query(sql.FINISH, [claim.id]);
      else await manager.query(sql.END_ROUND, [claim.id, Math.min(Math.max(wait, least), most)]);
      return undefined;
    });
  }

  /** Nobody keeps anything of these emails any more. */
  async forgetRemainders(claim: ClaimedErasure, { place, emails }: ClearedEmails): Promise<void> {
    await this.step(claim, async (manager) => {
      await manager.query(sql.FORGET_REMAINDERS, [claim.id, emails.map(({ id }) => id)]);
      await manager.query(sql.PROCEED, [claim.id, place, false]);
    });
  }

  /** A step in a transaction of its own; nothing is done when somebody else goes on with the erasure. */
  private step<T>(
    { id, fence }: ClaimedErasure,
    work: (manager: EntityManager, held: Held) => Promise<T>,
  ): Promise<T | undefined> {
    return this.dataSource.transaction(async (manager) => {
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

  private async hasUnindexed(
    manager: EntityManager,
    { accountId }: ClaimedErasure,
    { beforeSeq }: Held,
  ): Promise<boolean> {
    const [row]: { found: boolean }[] = await manager.query(sql.HAS_UNINDEXED, [accountId, beforeSeq]);
    return row?.found === true;
  }

  private async rewrite(
    manager: EntityManager,
    { id, accountId }: ClaimedErasure,
    { words }: Search,
    erased: readonly ErasedEmail[],
  ): Promise<Cancellation[]> {
    if (erased.length === 0) return [];
    const cleared = erased.flatMap((email) => (email.cleared ? [email.id] : []));
    const contents: { hash: string }[] = await manager.query(sql.FIND_CONTENTS, [cleared]);
    const canceled: Cancellation[] = await manager.query(sql.REWRITE, [JSON.stringify(erased), id]);
    await this.deleteContents(
      manager,
      contents.map(({ hash }) => hash),
    );
    await manager.query(sql.FORGET_WORDS, [accountId, words, erased.map(({ seq }) => seq)]);
    return canceled;
  }

  /**
   * Deletes contents that no email refers to any more. One that somebody has locked is left: an email that is being accepted
   * refers to it.
   */
  private async deleteContents(manager: EntityManager, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    const locked: { hash: string }[] = await manager.query(sql.LOCK_CONTENTS, [hashes]);
    // A statement of its own: it sees what was committed before the locks.
    if (locked.length > 0) await manager.query(sql.DELETE_CONTENTS, [locked.map(({ hash }) => hash)]);
  }
}
