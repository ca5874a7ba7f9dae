import { Inject, Injectable } from '@nestjs/common';
import type { SqlTransaction } from '../../../shared/rows/sql-transaction.js';
import { type MemoryShare, RequestMemory } from '../../../shared/work/request-memory.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { ATTACHMENT_STORAGE, type AttachmentStorage } from '../../ports/attachment-storage.js';
import type { NewAttachment } from '../../storage/accept/emails.repository.js';
import type { AttachmentDto } from '../request/attachment.dto.js';
import {
  contentHashOf,
  describe,
  type LoadedAttachment,
  MessageSize,
  pathOf,
  readContent,
  soleOwner,
} from './attachment-content.js';
import { AttachmentFetcher, type FetchedAttachment } from './attachment-fetcher.js';
import { BatchAttachments } from './batch-attachments.js';
import { RequestFetches } from './request-fetches.js';

/** Limit of fetched files in memory; for large ones at least the size of the largest message. Bytes. */
const MEMORY = { medium: EMAIL_LIMITS.fetchedFiles.max, large: EMAIL_LIMITS.fetchedLargeFiles.max };

/** Injection token of `ResolverLimits`. */
export const RESOLVER_LIMITS = Symbol('nestjs-emails resolver limits');

export interface ResolverLimits {
  /** Bytes of the whole message, after base64. */
  message: number;
  /** Timeout of all fetches of one request, including waits. Milliseconds. */
  fetchTime: number;
}

interface Resolving {
  /** The contents are not shared with other emails. Default: they are, within the account. */
  isAlone?: boolean;
  /** The transaction that the email joins. */
  transaction?: SqlTransaction | undefined;
  /** Memory that the request already holds. */
  body?: MemoryShare | undefined;
}

/** Resolves attachments to their contents at acceptance, so that later changes of a source do not matter. */
@Injectable()
export class AttachmentResolver {
  private readonly memory: RequestMemory;

  constructor(
    @Inject(ATTACHMENT_STORAGE) private readonly storage: AttachmentStorage,
    @Inject(AttachmentFetcher) private readonly fetcher: Pick<AttachmentFetcher, 'fetch'>,
    @Inject(RESOLVER_LIMITS) private readonly limits: ResolverLimits,
  ) {
    this.memory = new RequestMemory({ ...MEMORY, large: Math.max(MEMORY.large, limits.message) });
  }

  /**
   * Loads and stores the contents. Nothing is stored when one of them is refused.
   *
   * @param accountId owner of the contents, which are not shared with other accounts
   * @param textSize bytes of the message without attachments
   */
  async resolve(
    accountId: string,
    requests: readonly AttachmentDto[],
    textSize: number,
    { isAlone = false, transaction, body }: Resolving = {},
  ): Promise<NewAttachment[]> {
    const size = new MessageSize(this.limits.message, textSize);
    const fetches = requests.some(({ path }) => path !== undefined)
      ? this.fetchesOf(accountId, size.room, this.limits.fetchTime, body)
      : undefined;
    try {
      const loaded = await loadAll(requests, size, fetches);
      fetches?.end();
      return await this.store(isAlone ? soleOwner(accountId) : accountId, loaded, transaction);
    } finally {
      fetches?.close();
    }
  }

  /** The same for the emails of one request, which share fetched files. */
  forBatch(accountId: string, transaction?: SqlTransaction, body?: MemoryShare): BatchAttachments {
    const open = (room: number, time: number) => this.fetchesOf(accountId, room, time, body);
    return new BatchAttachments({ accountId, transaction, storage: this.storage, limits: this.limits, open });
  }

  private fetchesOf(accountId: string, room: number, time: number, body?: MemoryShare): RequestFetches {
    return new RequestFetches(accountId, this.fetcher, this.memory.open(accountId, room), time, body);
  }

  /** Runs one store at a time, so that many attachments never keep other requests from the database. */
  private async store(
    owner: string,
    loaded: readonly LoadedAttachment[],
    transaction?: SqlTransaction,
  ): Promise<NewAttachment[]> {
    const stored: NewAttachment[] = [];
    for (const { content, ...attachment } of loaded) {
      const contentHash = await contentHashOf(owner, content);
      await this.storage.put(contentHash, content, transaction);
      stored.push({ ...attachment, contentHash, size: content.length });
    }
    return stored;
  }
}

async function loadAll(
  requests: readonly AttachmentDto[],
  size: MessageSize,
  fetches: RequestFetches | undefined,
): Promise<LoadedAttachment[]> {
  const loaded: LoadedAttachment[] = [];
  for (const [index, request] of requests.entries()) {
    const path = pathOf(request, index);
    const found: FetchedAttachment =
      path !== undefined && fetches ? await fetches.fetch(path, size.room) : await readContent(request, index);
    const attachment = { content: found.content, ...describe(request, found) };
    size.add(attachment.content.length, attachment.filename);
    loaded.push(attachment);
  }
  return loaded;
}
