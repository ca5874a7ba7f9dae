import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { isStatementEnded } from '../../shared/errors/database-errors.js';
import { LIMITS } from '../../shared/limits.js';
import type { Page, PageRequest } from '../../shared/rows/page.js';
import { FairSemaphore } from '../../shared/work/fair-semaphore.js';
import { heapShare } from '../../shared/work/heap-share.js';
import { EMAIL_LIMITS } from '../limits.js';
import type {
  EmailFilters,
  EmailStore,
  FoundEmail,
  ListedEmail,
  PageBounds,
  PageColumns,
  PageCursor,
  PageRow,
} from '../storage/accept/emails.repository.js';
import { isWordTerm } from '../storage/email-terms.js';

export type { FoundEmail, ListedEmail, PageRow };

/** Content that an answer may have without a memory reservation; the number of connections bounds the total. Bytes. */
const SMALL = LIMITS.smallBody.max;
/**
 * Content of a page or an email that is read at once, even if it waits for memory then: in a small heap fewer. Bytes.
 */
const INLINE_BYTES = heapShare(1_000_000);
/** Upper limit for the content of a page that has several emails. Bytes. */
const PAGE_BYTES = EMAIL_LIMITS.pageBytes.max;

/**
 * Limit of filtered pages that a process reads at a time, half of them for one account: other requests need connections
 * too.
 */
const AT_ONCE = 4;

const NOT_SEARCHABLE = '`search` cannot be used: it is switched off on this server. Use other filters.';

const TOO_LONG =
  'This takes longer than 2 seconds. Give a narrower time: a later `start_date`, or an earlier `end_date` as well.';

/** `contentSize`: bytes of content of the rows up to this one. */
type Weighed = ListedEmail & { contentSize: number };

/** Waits until this many bytes of memory are free. */
export type MakeRoom = (bytes: number) => Promise<void>;

/**
 * Pages through an account's emails, newest first, by keyset: as fast at any depth, and stable while emails arrive.
 * A hundred emails may hold gigabytes: a page ends after 10 MB of content, that is of html, text, subjects and mailboxes,
 * and always has one email if there is one.
 */
@Injectable()
export class ListingService {
  private readonly turns = new FairSemaphore(AT_ONCE);

  /** @param isSearchable whether emails have the terms of their words */
  constructor(
    private readonly repository: EmailStore,
    private readonly isSearchable: boolean,
  ) {}

  /**
   * @param makeRoom called for more than 64 kB of content, before more than 1 MB of it is read
   * @param filters default: none
   * @param columns default: all
   * @throws ApiError 422 when the cursor is not an email of the account, or the filters would take too long or are
   * switched off
   */
  async list(
    accountId: string,
    { limit, cursor }: PageRequest,
    makeRoom: MakeRoom,
    filters?: EmailFilters,
    columns: PageColumns = 'all',
  ): Promise<Page<PageRow>> {
    this.checkSearch(filters);
    const bounds = { limit: limit + 1, inlineBytes: INLINE_BYTES, maxBytes: PAGE_BYTES, columns };
    const position = cursor && (await this.locate(accountId, cursor));
    const rows = await (filters
      ? this.filtered(accountId, filters, position, bounds)
      : this.repository.page(accountId, position, bounds));
    const shown = rows.slice(0, limit);
    const hasMore = (rows[0]?.available ?? 0) > shown.length;
    const items = await this.complete(accountId, shown, makeRoom, columns);
    if (cursor?.direction === 'newer') items.reverse();
    return { items, hasMore };
  }

  /**
   * The number of emails that match. @param filters undefined: all emails
   *
   * @throws ApiError 422 as for a page
   */
  count(accountId: string, filters?: EmailFilters): Promise<number> {
    this.checkSearch(filters);
    return this.inTurn(accountId, () => this.repository.count(accountId, filters));
  }

  /** An email of this account. @param makeRoom as for a page */
  async find(accountId: string, id: string, makeRoom: MakeRoom): Promise<FoundEmail | undefined> {
    const email = await this.repository.find(accountId, id, INLINE_BYTES);
    return email && (await this.complete(accountId, [email], makeRoom))[0];
  }

  private checkSearch(filters: EmailFilters | undefined): void {
    if (!this.isSearchable && filters?.terms.some(isWordTerm)) throw ApiError.invalid(NOT_SEARCHABLE);
  }

  private filtered(
    accountId: string,
    filters: EmailFilters,
    cursor: PageCursor | undefined,
    bounds: PageBounds,
  ): Promise<PageRow[]> {
    return this.inTurn(accountId, () => this.repository.filteredPage(accountId, filters, cursor, bounds));
  }

  /**
   * Runs a query about many emails, a few at a time.
   *
   * @throws ApiError 422 when PostgreSQL ended it because it took too long
   */
  async inTurn<T>(accountId: string, query: () => Promise<T>): Promise<T> {
    const done = await this.turns.acquire(accountId);
    try {
      return await query();
    } catch (error) {
      if (isStatementEnded(error)) throw ApiError.invalid(TOO_LONG);
      throw error;
    } finally {
      done();
    }
  }

  /** Reads content that was too large to be read at once. Leaves out emails that were deleted in between. */
  private async complete<Row extends Weighed>(
    accountId: string,
    rows: readonly Row[],
    makeRoom: MakeRoom,
    columns: PageColumns = 'all',
  ): Promise<Row[]> {
    const size = rows.at(-1)?.contentSize ?? 0;
    if (size > SMALL) await makeRoom(size);
    const incomplete = rows.filter((row) => row.contentSize > INLINE_BYTES).map(({ id }) => id);
    if (incomplete.length === 0) return [...rows];
    const contents = await this.repository.contents(accountId, incomplete, columns);
    const contentOf = new Map(contents.map((content) => [content.id, content]));
    return rows.flatMap((row) => {
      if (row.contentSize <= INLINE_BYTES) return row;
      const content = contentOf.get(row.id);
      return content ? { ...row, ...content } : [];
    });
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
