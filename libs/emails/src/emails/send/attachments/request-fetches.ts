import { ApiError } from '../../../shared/errors/api-error.js';
import type { MemoryShare } from '../../../shared/work/request-memory.js';
import { type AttachmentFetcher, type FetchedAttachment, notFetched } from './attachment-fetcher.js';

/** All fetches of one request, with their shared timeout and the memory of the fetched files. */
export class RequestFetches {
  private readonly deadline = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly signal: AbortSignal;
  private bytes = 0;
  private hasWaited = false;

  /**
   * @param memory holds the fetched files; closed with this object
   * @param timeout milliseconds, including waits
   * @param body memory that the request already holds; it may have to give it up for others
   */
  constructor(
    private readonly accountId: string,
    private readonly fetcher: Pick<AttachmentFetcher, 'fetch'>,
    private readonly memory: MemoryShare,
    timeout: number,
    private readonly body?: MemoryShare,
  ) {
    this.timer = setTimeout(() => this.deadline.abort(this.hasWaited ? ApiError.busy() : notFetched()), timeout);
    this.signal = AbortSignal.any([this.deadline.signal, memory.follow(), ...(body ? [body.follow()] : [])]);
  }

  /** @throws ApiError 422 after a failure or the timeout; 503 without a permit or memory in time */
  async fetch(path: string, maxBytes: number): Promise<FetchedAttachment> {
    const { accountId, signal } = this;
    const file = await this.fetcher.fetch(path, {
      accountId,
      maxBytes,
      signal,
      makeRoom: (bytes) => this.makeRoom(bytes),
      onWait: () => this.noteWait(),
    });
    this.bytes += file.content.length;
    return file;
  }

  /** Ends the timeout: all files are fetched. From now on others cannot reclaim the memory. */
  end(): void {
    clearTimeout(this.timer);
    this.memory.unfollow();
    this.body?.unfollow();
  }

  /** Frees its memory. */
  close(): void {
    this.end();
    this.memory.close();
  }

  private makeRoom(bytes: number): Promise<void> | undefined {
    const room = this.memory.makeRoom(this.bytes + bytes);
    if (room) this.noteWait();
    return room;
  }

  private noteWait(): void {
    this.hasWaited = true;
  }
}
