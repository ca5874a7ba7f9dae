import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { storableText } from '../text/storable-text.js';
import { AddressRules } from './address-rules.js';
import { dnsResolve, guardedLookup, type Resolve } from './public-lookup.js';

/** The whole request, and its connection with TLS. Milliseconds. */
const TIMEOUT = 15_000;
const CONNECT_TIMEOUT = 5_000;
/** For how long a connection is kept for the next request. Milliseconds. */
const IDLE = 5_000;
/** Connections that are kept to one origin. */
const KEPT = 10;
const MAX_HEADER = 16_384;
/** Bytes of an answer that are read, and characters that are given. */
const MAX_READ = 16_384;
const MAX_GIVEN = 2_000;
/** Answers before the answer (RFC 9110 section 15.2). */
const MAX_INFORMATIONAL = 10;
const LONGEST_URL = 2_048;

/** Why there was no answer, in words that tell nothing of the network. */
export type PostFailure =
  | 'address not allowed'
  | 'timeout'
  | 'connection refused'
  | 'connection reset'
  | 'tls'
  | 'malformed answer'
  | 'no answer';

/** There was no answer, or none that could be read. */
export class PostError extends Error {
  override readonly name = 'PostError';

  constructor(readonly reason: PostFailure) {
    super(reason);
  }
}

/** The answer to a request. */
export interface PostAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its beginning, up to 2,000 characters in a form that can be stored. */
  text: string;
}

export interface GuardedPosterOptions {
  /** CIDR blocks beside the public internet. Only there may a target be `http`. Default: none. */
  allowPrivate?: readonly string[];
  /** How host names become addresses. Default: DNS. */
  resolve?: Resolve;
  /** Milliseconds. Default: 15,000. */
  timeout?: number;
  /** Certificate authorities. Default: those of Node. */
  ca?: string;
}

/**
 * Posts to what strangers named without being made a tool against the network it stands in: each connection leads to an
 * address that was judged for it, redirects are answers like others, and everything is bounded in time and size.
 * Connections are kept for the next request; a request is never repeated, for it may have arrived (RFC 9110 section 9.2.2).
 * Sends no cookies or credentials, and ignores proxy settings of the environment.
 */
export class GuardedPoster {
  private readonly rules: AddressRules;
  private readonly agents: Record<'http:' | 'https:', HttpAgent>;
  private readonly lookups: Record<'http:' | 'https:', ReturnType<typeof guardedLookup>>;
  private readonly timeout: number;

  constructor({ allowPrivate, resolve = dnsResolve(), timeout = TIMEOUT, ca }: GuardedPosterOptions = {}) {
    this.rules = new AddressRules(allowPrivate);
    this.timeout = timeout;
    const kept = { keepAlive: true, maxFreeSockets: KEPT, timeout: IDLE };
    this.agents = {
      'http:': new HttpAgent(kept),
      'https:': new HttpsAgent({ ...kept, ...(ca !== undefined && { ca }) }),
    };
    this.lookups = {
      'http:': guardedLookup(resolve, (address) => this.rules.isVouchedFor(address)),
      'https:': guardedLookup(resolve, (address) => this.rules.isAllowed(address)),
    };
  }

  /**
   * What is wrong with a URL as such, in words that follow its name; a host name is judged when it is connected to.
   * Undefined: nothing.
   */
  refusal(text: string): string | undefined {
    const schemes = this.rules.allowsPrivate ? '`https://` or `http://`' : '`https://`';
    const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !['https:', ...(this.rules.allowsPrivate ? ['http:'] : [])].includes(url.protocol))
      return `must be a URL that begins with ${schemes}, of up to ${LONGEST_URL} characters`;
    if (url.username !== '' || url.password !== '') return 'must have no user name and no password';
    if (url.hash !== '' || text.includes('#')) return 'must have no fragment (`#…`)';
    if (!isPort(url.port)) return 'must have port 80, 443 or one from 1024 on';
    return this.isForbidden(url) ? 'must lead to a public address' : undefined;
  }

  /** @throws PostError */
  async post(text: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<PostAnswer> {
    if (this.refusal(text) !== undefined) throw new PostError('address not allowed');
    const signal = AbortSignal.timeout(this.timeout);
    try {
      const response = await this.request(new URL(text), headers, body, signal);
      return { status: response.statusCode ?? 0, headers: response.headers, text: await beginningOf(response) };
    } catch (error) {
      throw signal.aborted ? new PostError('timeout') : asPostError(error);
    }
  }

  /** Ends the connections that are kept. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private isForbidden(url: URL): boolean {
    const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    if (isIP(host) === 0) return false;
    return url.protocol === 'http:' ? !this.rules.isVouchedFor(host) : !this.rules.isAllowed(host);
  }

  private request(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
    const ask = protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = ask(url, {
        method: 'POST',
        signal,
        agent: this.agents[protocol],
        lookup: this.lookups[protocol],
        maxHeaderSize: MAX_HEADER,
        headers: {
          ...headers,
          'content-length': body.length,
          'accept-encoding': 'identity',
          'user-agent': 'nestjs-emails',
        },
      });
      let informational = 0;
      limitConnecting(request);
      request
        .on('response', (response) => {
          // A body of unknown length ends with its connection: only the request hears that this was reset or timed out.
          request.on('error', (error) => response.destroy(error));
          resolve(response);
        })
        .on('information', () => {
          informational += 1;
          if (informational > MAX_INFORMATIONAL) request.destroy(new PostError('malformed answer'));
        })
        .on('error', reject)
        .on('close', () => reject(new PostError('no answer')))
        .end(body);
    });
  }
}

function limitConnecting(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => request.destroy(new PostError('timeout')), CONNECT_TIMEOUT);
    const done = () => clearTimeout(timer);
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', done).once('close', done);
  });
}

/** Where there is more, the connection is of no more use. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length >= MAX_READ) break;
  }
  return storableText(Buffer.concat(pieces).toString('utf8', 0, MAX_READ), MAX_GIVEN);
}

function isPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) >= 1_024;
}

const REASONS: Readonly<Record<string, PostFailure>> = {
  ENOADDRESS: 'address not allowed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'connection refused',
  ENETUNREACH: 'connection refused',
  EPROTO: 'tls',
};
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|ERR_OSSL)|CERT|HOSTNAME_MISMATCH/;

function asPostError(error: unknown): PostError {
  if (error instanceof PostError) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== 'string') return new PostError('no answer');
  if (TLS.test(code)) return new PostError('tls');
  return new PostError(code.startsWith('HPE_') ? 'malformed answer' : (REASONS[code] ?? 'no answer'));
}
