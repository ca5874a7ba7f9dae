import { ApiError } from '../../../shared/errors/api-error.js';
import { type Download, GuardedClient, type GuardedClientOptions } from '../../../shared/net/guarded-client.js';
import { Deadline } from '../../../shared/work/deadline.js';
import { FairSemaphore } from '../../../shared/work/fair-semaphore.js';
import { isFilename, isMediaType } from './media-type.js';

export interface AttachmentFetcherOptions extends GuardedClientOptions {
  /** Milliseconds for one fetch, redirects and body included, waits for a permit or for room apart. */
  timeout: number;
  /** Largest content in bytes. */
  maxBytes: number;
  /** Fetches at the same time, half of them for one account; further ones wait. Default: 16. */
  maxConcurrent?: number;
}

export interface FetchBounds {
  /** Whose fetch it is. */
  accountId?: string;
  /** Largest content in bytes, when less is left than the options allow. */
  maxBytes?: number;
  /** Asked, and waited for, before the content has so many bytes in memory; throws an ApiError when there is no room. */
  makeRoom?: (bytes: number) => Promise<void> | undefined;
  /** Told when it has to wait for a permit. */
  onWait?: () => void;
  /** Ends the fetch; its reason may be an ApiError. */
  signal?: AbortSignal;
}

export interface FetchedAttachment {
  content: Buffer;
  /** From the last part of the URL's path, when that is a fit filename. */
  filename?: string;
  /** As the server named it, when that is a fit media type. */
  contentType?: string;
}

/** Fetches `attachments[].path`, bounded in time, size and number. Where it may lead, `GuardedClient` says. */
export class AttachmentFetcher {
  private readonly permits: FairSemaphore;
  private readonly client: GuardedClient;

  constructor(private readonly options: AttachmentFetcherOptions) {
    this.permits = new FairSemaphore(options.maxConcurrent ?? 16);
    this.client = new GuardedClient(options);
  }

  /**
   * @throws ApiError 422 with the same words for every reason, so that the answer tells nothing of the target; what
   *   `makeRoom` throws, and what `signal` has as its reason, where these are an ApiError
   */
  async fetch(url: string, bounds: FetchBounds = {}): Promise<FetchedAttachment> {
    const permit = this.permits.take(bounds.accountId ?? '', bounds.signal);
    if (permit instanceof Promise) bounds.onWait?.();
    const giveBack = await permit;
    try {
      return await this.fetchNow(url, bounds, giveBack);
    } finally {
      giveBack();
    }
  }

  private async fetchNow(url: string, bounds: FetchBounds, givePermitBack: () => void): Promise<FetchedAttachment> {
    const deadline = new Deadline(this.options.timeout);
    const signal = AbortSignal.any([deadline.signal, ...(bounds.signal ? [bounds.signal] : [])]);
    // Whoever has memory may need a permit to get on, so nobody waits for memory with a permit in his hands.
    const makeRoom = (bytes: number) => {
      const room = bounds.makeRoom?.(bytes);
      if (!room) return undefined;
      givePermitBack();
      return deadline.pauseFor(() => orAborted(room, signal));
    };
    try {
      const maxBytes = bounds.maxBytes ?? this.options.maxBytes;
      return toAttachment(await this.client.download(url, { maxBytes, makeRoom, signal }));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (bounds.signal?.reason instanceof ApiError) throw bounds.signal.reason;
      throw notFetched();
    } finally {
      deadline.clear();
    }
  }
}

/** The one refusal for whatever may be wrong with a target. */
export function notFetched(): ApiError {
  return ApiError.invalidAttachment('The `path` of an attachment could not be fetched.');
}

/** Settles as `work` does, or rejects with the signal's reason when that is first. */
function orAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function toAttachment(download: Download): FetchedAttachment {
  return { content: download.body, ...filenameOf(download.url, download.asked), ...contentTypeOf(download) };
}

/** The name at the end of the redirects, or else the one that was asked for. */
function filenameOf(...urls: readonly URL[]): { filename?: string } {
  const filename = urls.map(lastSegment).find(isFilename);
  return filename === undefined ? {} : { filename };
}

function lastSegment({ pathname }: URL): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)).trim();
  } catch {
    return undefined;
  }
}

function contentTypeOf({ headers }: Download): { contentType?: string } {
  const contentType = headers['content-type'];
  return isMediaType(contentType) ? { contentType } : {};
}
