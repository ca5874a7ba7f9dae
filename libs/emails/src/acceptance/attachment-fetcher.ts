import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ApiError } from '../errors/api-error.js';
import { readBody } from './attachment-fetcher.body.js';
import { Deadline } from './attachment-fetcher.deadline.js';
import { dnsResolve, publicLookup, type Resolve } from './attachment-fetcher.lookup.js';
import { FetchPolicy, type FetchPolicyOptions } from './attachment-fetcher.policy.js';
import { Slots } from './attachment-fetcher.slots.js';
import { isFilename, isMediaType } from './media-type.js';

export interface AttachmentFetcherOptions extends FetchPolicyOptions {
  /** Milliseconds for one fetch, redirects and body included. A wait for other fetches to end may take as long again. */
  timeout: number;
  /** Largest content in bytes. */
  maxBytes: number;
  /** Fetches at the same time; further ones wait. Default: 8. */
  maxConcurrent?: number;
  /** How host names become addresses. Default: DNS. */
  resolve?: Resolve;
}

export interface FetchBounds {
  /** Largest content in bytes, when less is left than the options allow. */
  maxBytes?: number;
  /** Waited for before a large content is read into memory; throws an ApiError when there is no room. */
  admitLarge?: () => Promise<void>;
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
    this.slots = new Slots(options.maxConcurrent ?? 8);
    this.lookup = publicLookup(options.resolve ?? dnsResolve());
  }

  /**
   * @throws ApiError 422 with the same words for every reason, so that the answer tells nothing of the target; 503 when
   *   too many are under way; what `admitLarge` throws
   */
  fetch(url: string, bounds: FetchBounds = {}): Promise<FetchedAttachment> {
    return this.slots.run(() => this.fetchNow(url, bounds), this.options.timeout);
  }

  private async fetchNow(url: string, bounds: FetchBounds): Promise<FetchedAttachment> {
    const deadline = new Deadline(this.options.timeout);
    try {
      return await this.follow(url, bounds, deadline);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw ApiError.invalidAttachment('The `path` of an attachment could not be fetched.');
    } finally {
      deadline.clear();
    }
  }

  private async follow(path: string, bounds: FetchBounds, deadline: Deadline): Promise<FetchedAttachment> {
    const { maxBytes = this.options.maxBytes, admitLarge = async () => {} } = bounds;
    const first = this.policy.admit(path);
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.request(url, deadline.signal);
      try {
        const { statusCode = 0, headers } = response;
        if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
          url = this.policy.admit(headers.location, url);
          continue;
        }
        if (statusCode !== 200) throw new Error('The answer is not a file.');
        const content = await readBody(response, maxBytes, () => deadline.pauseFor(admitLarge));
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
