import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type MemoryShare, RequestMemory } from '../../../shared/work/request-memory.js';
import type { AttachmentStorage } from '../../ports/attachment-storage.js';
import type { NewAttachment } from '../../storage/email.repository.js';
import type { AttachmentRequest } from '../request/email-request.js';
import {
  contentHashOf,
  describe,
  type LoadedAttachment,
  MessageSize,
  pathOf,
  readContent,
} from './attachment-content.js';
import type { AttachmentFetcher, FetchedAttachment } from './attachment-fetcher.js';
import { BatchAttachments } from './batch-attachments.js';
import { RequestFetches } from './request-fetches.js';

/** Bytes of fetched files in memory at the same time; for large ones at least those of the largest message. */
const MEMORY = { medium: 20_000_000, large: 40_000_000 };

export interface ResolverLimits {
  /** Bytes of the whole message, after base64. */
  message: number;
  /** Milliseconds for all fetches of one request, waits included. */
  fetchTime: number;
}

/** Resolves attachments to their contents: what is sent later is what was given, or fetched, now. */
@Injectable()
export class AttachmentResolver {
  private readonly memory: RequestMemory;

  constructor(
    private readonly storage: AttachmentStorage,
    private readonly fetcher: Pick<AttachmentFetcher, 'fetch'>,
    private readonly limits: ResolverLimits,
  ) {
    this.memory = new RequestMemory({ ...MEMORY, large: Math.max(MEMORY.large, limits.message) });
  }

  /**
   * Loads and stores the contents. Nothing is stored when one of them is refused.
   *
   * @param accountId whose contents they are, and nobody else's, even if another account has the same
   * @param textSize bytes of the message apart from attachments
   * @param transaction the one that the email joins
   * @param body what the request has in memory already
   */
  async resolve(
    accountId: string,
    requests: readonly AttachmentRequest[],
    textSize: number,
    transaction?: EntityManager,
    body?: MemoryShare,
  ): Promise<NewAttachment[]> {
    const size = new MessageSize(this.limits.message, textSize);
    const fetches = requests.some(({ path }) => path !== undefined)
      ? this.fetchesOf(accountId, size.room, this.limits.fetchTime, body)
      : undefined;
    try {
      const loaded = await loadAll(requests, size, fetches);
      fetches?.end();
      return await this.store(accountId, loaded, transaction);
    } finally {
      fetches?.close();
    }
  }

  /** The same for the emails of one request, which share what they fetch. */
  forBatch(accountId: string, transaction?: EntityManager, body?: MemoryShare): BatchAttachments {
    const open = (room: number, time: number) => this.fetchesOf(accountId, room, time, body);
    return new BatchAttachments({ accountId, transaction, storage: this.storage, limits: this.limits, open });
  }

  private fetchesOf(accountId: string, room: number, time: number, body?: MemoryShare): RequestFetches {
    return new RequestFetches(accountId, this.fetcher, this.memory.open(accountId, room), time, body);
  }

  /** One after the other, so that however many there are, they never keep others from the database. */
  private async store(
    accountId: string,
    loaded: readonly LoadedAttachment[],
    transaction?: EntityManager,
  ): Promise<NewAttachment[]> {
    const stored: NewAttachment[] = [];
    for (const { content, ...attachment } of loaded) {
      const contentHash = await contentHashOf(accountId, content);
      await this.storage.put(contentHash, content, transaction);
      stored.push({ ...attachment, contentHash, size: content.length });
    }
    return stored;
  }
}

async function loadAll(
  requests: readonly AttachmentRequest[],
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
