import { Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { EmailRepository, ListedEmail, PageCursor } from '../storage/email.repository.js';

export type { ListedEmail };

export interface PageRequest {
  /** 1 to 100. */
  limit: number;
  /** The page next to this object, in this direction. Default: the newest page. */
  cursor?: { direction: 'older' | 'newer'; id: string };
}

export interface Page<T> {
  /** Newest first. */
  items: T[];
  /** More exist in the direction of travel. */
  hasMore: boolean;
}

/** Pages through an account's emails, newest first, by keyset: as fast at any depth, and stable while emails arrive. */
@Injectable()
export class ListingService {
  constructor(private readonly repository: EmailRepository) {}

  async list(accountId: string, { limit, cursor }: PageRequest): Promise<Page<ListedEmail>> {
    const rows = await this.repository.page(accountId, cursor && (await this.locate(accountId, cursor)), limit + 1);
    const items = rows.slice(0, limit);
    if (cursor?.direction === 'newer') items.reverse();
    return { items, hasMore: rows.length > limit };
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
