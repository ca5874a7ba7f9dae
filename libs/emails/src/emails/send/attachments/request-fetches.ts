import { ApiError } from '../../../shared/errors/api-error.js';
import type { MemoryShare } from '../../../shared/work/request-memory.js';
import { type AttachmentFetcher, type FetchedAttachment, notFetched } from './attachment-fetcher.js';

/** All fetches of one request: the time that they have together, and the memory of what they bring. */
export class RequestFetches {
  private readonly deadline = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly signal: AbortSignal;
  private bytes = 0;
  private hasWaited = false;

  /**
   * @param memory gets what is fetched; it is closed with this
   * @param timeout milliseconds, waits included
   * @param body what the request has in memory already: it keeps that no longer than others let it
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

  /** @throws ApiError 422 when it fails, or the time is up; 503 when there was no permit or no room for it in time */
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

  /** All are fetched: what it takes from now on is our time. */
  end(): void {
    clearTimeout(this.timer);
    this.memory.unfollow();
    this.body?.unfollow();
  }

  /** Nothing of it is in memory any more. */
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
