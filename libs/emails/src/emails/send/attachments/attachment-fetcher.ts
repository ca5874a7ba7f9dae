import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ApiError } from '../../../shared/errors/api-error.js';
import { dnsResolve, publicLookup, type Resolve } from '../../../shared/net/public-lookup.js';
import { readBody } from '../../../shared/net/read-body.js';
import { FetchPolicy, type FetchPolicyOptions } from '../../../shared/net/url-policy.js';
import { Deadline } from '../../../shared/work/deadline.js';
import { Slots } from '../../../shared/work/slots.js';
import { isFilename, isMediaType } from './media-type.js';

export interface AttachmentFetcherOptions extends FetchPolicyOptions {
  /** Milliseconds for one fetch, redirects and body included, waits for a slot or for room apart. */
  timeout: number;
  /** Largest content in bytes. */
  maxBytes: number;
  /** Fetches at the same time, half of them for one account; further ones wait. Default: 16. */
  maxConcurrent?: number;
  /** How host names become addresses. Default: DNS. */
  resolve?: Resolve;
}

export interface FetchBounds {
  /** Whose fetch it is. */
  accountId?: string;
  /** Largest content in bytes, when less is left than the options allow. */
  maxBytes?: number;
  /** Asked, and waited for, before the content has so many bytes in memory; throws an ApiError when there is no room. */
  makeRoom?: (bytes: number) => Promise<void> | undefined;
  /** Told when it has to wait for a slot. */
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

/**
 * Fetches `attachments[].path` without being made a tool against the network it stands in (server-side request
 * forgery): `http` and `https` on allowed ports, public addresses only, each redirect judged like the first URL,
 * bounded in time, size and number. Sends no cookies or credentials, and ignores proxy settings of the environment.
 */
export class AttachmentFetcher {
  private readonly policy: FetchPolicy;
  private readonly slots: Slots;
  private readonly lookup: ReturnType<typeof publicLookup>;

  constructor(private readonly options: AttachmentFetcherOptions) {
    this.policy = new FetchPolicy(options);
    this.slots = new Slots(options.maxConcurrent ?? 16);
    this.lookup = publicLookup(options.resolve ?? dnsResolve());
  }

  /**
   * @throws ApiError 422 with the same words for every reason, so that the answer tells nothing of the target; what
   *   `makeRoom` throws, and what `signal` has as its reason, where these are an ApiError
   */
  async fetch(url: string, bounds: FetchBounds = {}): Promise<FetchedAttachment> {
    const slot = this.slots.take(bounds.accountId ?? '', bounds.signal);
    if (slot instanceof Promise) bounds.onWait?.();
    const giveBack = await slot;
    try {
      return await this.fetchNow(url, bounds, giveBack);
    } finally {
      giveBack();
    }
  }

  private async fetchNow(url: string, bounds: FetchBounds, giveSlotBack: () => void): Promise<FetchedAttachment> {
    const deadline = new Deadline(this.options.timeout);
    const signal = AbortSignal.any([deadline.signal, ...(bounds.signal ? [bounds.signal] : [])]);
    // Whoever has memory may need a slot to get on, so nobody waits for memory with a slot in his hands.
    const makeRoom = (bytes: number) => {
      const room = bounds.makeRoom?.(bytes);
      if (!room) return undefined;
      giveSlotBack();
      return deadline.pauseFor(() => orAborted(room, signal));
    };
    try {
      return await this.follow(url, bounds.maxBytes ?? this.options.maxBytes, makeRoom, signal);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (bounds.signal?.reason instanceof ApiError) throw bounds.signal.reason;
      throw notFetched();
    } finally {
      deadline.clear();
    }
  }

  private async follow(
    path: string,
    maxBytes: number,
    makeRoom: (bytes: number) => Promise<void> | undefined,
    signal: AbortSignal,
  ): Promise<FetchedAttachment> {
    const first = this.policy.admit(path);
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.request(url, signal);
      try {
        const { statusCode = 0, headers } = response;
        if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
          url = this.policy.admit(headers.location, url);
          continue;
        }
        if (statusCode !== 200) throw new Error('The answer is not a file.');
        const content = await readBody(response, maxBytes, makeRoom);
        return { content, ...filenameOf(url, first), ...contentTypeOf(response) };
      } finally {
        response.destroy();
      }
    }
    throw new Error('There are too many redirects.');
  }

  private request(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const ask = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = ask(url, {
        signal,
        // A connection of its own, which no setting of the process can send through a proxy.
        agent: false,
        maxHeaderSize: 16_384,
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'nestjs-emails' },
        ...(this.policy.isExempt(url) ? {} : { lookup: this.lookup }),
      });
      request
        .on('response', (response) => {
          // A body of unknown length ends with its connection: to Node it is complete even when that was reset or
          // timed out, and only the request hears of it.
          request.on('error', (error) => response.destroy(error));
          resolve(response);
        })
        .on('error', reject)
        // Not every end without an answer is an error to Node.
        .on('close', () => reject(new Error('There was no answer.')))
        .end();
    });
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

function contentTypeOf({ headers }: IncomingMessage): { contentType?: string } {
  const contentType = headers['content-type'];
  return isMediaType(contentType) ? { contentType } : {};
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
