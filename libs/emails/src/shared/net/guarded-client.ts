import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { LIMITS } from '../limits.js';
import { dnsResolve, publicLookup, type Resolve } from './public-lookup.js';
import { readBody } from './read-body.js';
import { UrlPolicy, type UrlPolicyOptions } from './url-policy.js';

const MAX_REDIRECTS = LIMITS.redirects.max;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface GuardedClientOptions extends UrlPolicyOptions {
  /** Resolver of host names. Default: DNS. */
  resolve?: Resolve;
}

export interface DownloadBounds {
  /** Largest body in bytes. */
  maxBytes: number;
  /** Called, and awaited, before the body has this many bytes in memory. */
  makeRoom: (bytes: number) => Promise<void> | undefined;
  /** Aborts the download. */
  signal: AbortSignal;
}

export interface Download {
  body: Buffer;
  headers: IncomingHttpHeaders;
  /** The URL at the end of the redirects. */
  url: URL;
  /** The requested URL. */
  asked: URL;
}

/**
 * Downloads from a stranger's URL without exposing the operator's network (server-side request forgery): `http` and
 * `https` on allowed ports, public addresses only, each redirect judged like the first URL, bounded in size. Sends no
 * cookies or credentials, and ignores proxy settings of the environment.
 */
export class GuardedClient {
  private readonly policy: UrlPolicy;
  private readonly lookup: ReturnType<typeof publicLookup>;

  constructor(options: GuardedClientOptions) {
    this.policy = new UrlPolicy(options);
    this.lookup = publicLookup(options.resolve ?? dnsResolve());
  }

  /** @throws Error when the URL is forbidden, or the answer is not a 200, is compressed, or is longer than the limit */
  async download(text: string, { maxBytes, makeRoom, signal }: DownloadBounds): Promise<Download> {
    const asked = this.policy.admit(text);
    let url = asked;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.request(url, signal);
      try {
        const { statusCode = 0, headers } = response;
        if (REDIRECTS.has(statusCode) && headers.location !== undefined) {
          url = this.policy.admit(headers.location, url);
          continue;
        }
        if (statusCode !== 200) throw new Error('The answer is not a file.');
        return { body: await readBody(response, maxBytes, makeRoom), headers, url, asked };
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
        // A separate connection, which no setting of the process can route through a proxy.
        agent: false,
        maxHeaderSize: 16_384,
        headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'nestjs-emails' },
        ...(this.policy.isExempt(url) ? {} : { lookup: this.lookup }),
      });
      request
        .on('response', (response) => {
          // A body of unknown length ends with its connection. Node considers it complete even after a reset or
          // timeout, which only the request reports.
          request.on('error', (error) => response.destroy(error));
          resolve(response);
        })
        .on('error', reject)
        // Node does not report every missing answer as an error.
        .on('close', () => reject(new Error('There was no answer.')))
        .end();
    });
  }
}
