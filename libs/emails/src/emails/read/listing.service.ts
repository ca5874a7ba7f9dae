import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { isStatementEnded } from '../../shared/errors/database-errors.js';
import type { Page, PageRequest } from '../../shared/rows/page.js';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
import type {
  EmailFilters,
  EmailStore,
  FoundEmail,
  ListedEmail,
  PageBounds,
  PageCursor,
  PageRow,
} from '../storage/email.repository.js';

export type { FoundEmail, ListedEmail };

/** Bytes of html and text that an answer has without asking for memory: they are bounded by the number of connections. */
const SMALL = 64_000;
/** Bytes of html and text, of a page or an email, that are read at once. */
const INLINE_BYTES = 1_000_000;
/** A page ends before it holds more bytes of html and text. */
const PAGE_BYTES = 10_000_000;

/** Filtered pages of a process that PostgreSQL looks for at a time, half of them for one account: others need connections too. */
const AT_ONCE = 4;

const TOO_LONG =
  'This takes longer than 2 seconds. Give a narrower time: a later `start_date`, or an earlier `end_date` as well.';

/** With the bytes of html and text up to this one. */
type Weighed = ListedEmail & { contentSize: number };

/** Waits until there is room in memory for so many bytes. */
export type MakeRoom = (bytes: number) => Promise<void>;

/**
 * Pages through an account's emails, newest first, by keyset: as fast at any depth, and stable while emails arrive.
 * A hundred emails may hold gigabytes: a page ends after 10 MB of html and text, and always has one email if there is
 * one.
 */
@Injectable()
export class ListingService {
  private readonly turns = new FairSemaphore(AT_ONCE);

  constructor(private readonly repository: EmailStore) {}

  /**
   * @param makeRoom asked for what has more than 64 kB of html and text, before more than 1 MB of it is read
   * @param filters default: none
   * @throws ApiError 422 when the cursor is no email of the account, or the filters would take too long
   */
  async list(
    accountId: string,
    { limit, cursor }: PageRequest,
    makeRoom: MakeRoom,
    filters?: EmailFilters,
  ): Promise<Page<ListedEmail>> {
    const bounds = { limit: limit + 1, inlineBytes: INLINE_BYTES, maxBytes: PAGE_BYTES };
    const place = cursor && (await this.locate(accountId, cursor));
    const rows = await (filters
      ? this.filtered(accountId, filters, place, bounds)
      : this.repository.page(accountId, place, bounds));
    const items = rows.slice(0, limit);
    const hasMore = (rows[0]?.available ?? 0) > items.length;
    await this.complete(accountId, items, makeRoom);
    if (cursor?.direction === 'newer') items.reverse();
    return { items, hasMore };
  }

  /** An email of this account. @param makeRoom as for a page */
  async find(accountId: string, id: string, makeRoom: MakeRoom): Promise<FoundEmail | undefined> {
    const email = await this.repository.find(accountId, id, INLINE_BYTES);
    if (email) await this.complete(accountId, [email], makeRoom);
    return email;
  }

  private async filtered(
    accountId: string,
    filters: EmailFilters,
    cursor: PageCursor | undefined,
    bounds: PageBounds,
  ): Promise<PageRow[]> {
    const done = await this.turns.take(accountId);
    try {
      return await this.repository.filteredPage(accountId, filters, cursor, bounds);
    } catch (error) {
      if (isStatementEnded(error)) throw ApiError.invalid(TOO_LONG);
      throw error;
    } finally {
      done();
    }
  }

  /** Fills in what was too much to be read at once. */
  private async complete(accountId: string, rows: readonly Weighed[], makeRoom: MakeRoom): Promise<void> {
    const size = rows.at(-1)?.contentSize ?? 0;
    if (size > SMALL) await makeRoom(size);
    const incomplete = new Map(rows.filter((row) => row.contentSize > INLINE_BYTES).map((row) => [row.id, row]));
    if (incomplete.size === 0) return;
    for (const { id, html, text } of await this.repository.contents(accountId, [...incomplete.keys()])) {
      Object.assign(incomplete.get(id) ?? {}, { html, text });
    }
  }

  private async locate(accountId: string, cursor: NonNullable<PageRequest['cursor']>): Promise<PageCursor> {
    const seq = await this.repository.findSeq(accountId, cursor.id);
    if (seq === undefined) {
      const name = cursor.direction === 'older' ? 'after' : 'before';
      throw ApiError.invalid(`\`${name}\` must be the id of an email in this list.`);
    }
    return { direction: cursor.direction, seq };
  }
}
