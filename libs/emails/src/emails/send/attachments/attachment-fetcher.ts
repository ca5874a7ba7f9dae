import { ApiError } from '../../../shared/errors/api-error.js';
import { type Download, GuardedClient, type GuardedClientOptions } from '../../../shared/net/guarded-client.js';
import { Deadline } from '../../../shared/work/deadline.js';
import { FairSemaphore } from '../../../shared/work/fair-semaphore.js';
import { EMAIL_LIMITS } from '../../limits.js';
import { isFilename, isMediaType } from './media-type.js';

export interface AttachmentFetcherOptions extends GuardedClientOptions {
  /** Timeout of one fetch with redirects and body, without waits for a permit or for memory. Milliseconds. */
  timeout: number;
  /** Largest content in bytes. */
  maxBytes: number;
  /** Fetches at the same time, half of them for one account; further ones wait. Default: 16. */
  maxConcurrent?: number;
}

export interface FetchBounds {
  /** Account of the fetch. */
  accountId?: string;
  /** Largest content in bytes, if less than the options allow. */
  maxBytes?: number;
  /** Called and awaited before the content has this many bytes in memory; throws an ApiError when there is no room. */
  makeRoom?: (bytes: number) => Promise<void> | undefined;
  /** Called when the fetch has to wait for a permit. */
  onWait?: () => void;
  /** Aborts the fetch; its reason may be an ApiError. */
  signal?: AbortSignal;
}

export interface FetchedAttachment {
  content: Buffer;
  /** From the last part of the URL's path, if it is a valid filename. */
  filename?: string;
  /** From the server, if it is a valid media type. */
  contentType?: string;
}

/** Fetches `attachments[].path`, bounded in time, size and number. `GuardedClient` decides about the target. */
export class AttachmentFetcher {
  private readonly permits: FairSemaphore;
  private readonly client: GuardedClient;

  constructor(private readonly options: AttachmentFetcherOptions) {
    this.permits = new FairSemaphore(options.maxConcurrent ?? EMAIL_LIMITS.fetches.max);
    this.client = new GuardedClient(options);
  }

  /**
   * @throws ApiError 422 with the same message for every reason, so that the answer reveals nothing of the target; an
   * ApiError of `makeRoom` or of the reason of `signal`
   */
  async fetch(url: string, bounds: FetchBounds = {}): Promise<FetchedAttachment> {
    const permit = this.permits.acquire(bounds.accountId ?? '', bounds.signal);
    if (permit instanceof Promise) bounds.onWait?.();
    const release = await permit;
    try {
      return await this.fetchNow(url, bounds, release);
    } finally {
      release();
    }
  }

  private async fetchNow(url: string, bounds: FetchBounds, releasePermit: () => void): Promise<FetchedAttachment> {
    const deadline = new Deadline(this.options.timeout);
    const signal = AbortSignal.any([deadline.signal, ...(bounds.signal ? [bounds.signal] : [])]);
    // A fetch that holds memory may need a permit to continue, so no fetch waits for memory while it holds a permit.
    const makeRoom = (bytes: number) => {
      const room = bounds.makeRoom?.(bytes);
      if (!room) return undefined;
      releasePermit();
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

/** The single refusal for all problems of a target. */
export function notFetched(): ApiError {
  return ApiError.invalidAttachment('The `path` of an attachment could not be fetched.');
}

/** Settles like `work`, or rejects with the signal's reason if that comes first. */
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

/** The name at the end of the redirects, or else the requested one. */
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
