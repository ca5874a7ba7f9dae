import { type Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CallError } from './call-error.js';
import { type CallAnswer, type CallMessage, type CallTimes, EndpointCall } from './endpoint-call.js';
import { EndpointPolicy } from './endpoint-policy.js';
import { keptConnections, type OwnedRequest } from './kept-connections.js';
import { dnsResolve, judgedLookup, type Resolve } from './public-lookup.js';

const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'nestjs-emails' };
const MAX_HEADER_BYTES = 16_384;

export interface EndpointClientOptions {
  /** Blocks of the operator's own network that may be called, in CIDR notation. Default: none. */
  allowPrivate?: readonly string[];
  /** Milliseconds for one call in all, but for what its message takes: name, connection, TLS, answer with its body. Default: 15,000. */
  timeout?: number;
  /** The part of these until the connection is made and secured. Default: 5,000. */
  connectTimeout?: number;
  /** How host names become addresses. Default: DNS. */
  resolve?: Resolve;
  /** Certificate authorities, as PEM. Default: those of the process, with `NODE_EXTRA_CA_CERTS`. */
  ca?: string;
}

export interface Call {
  /** For whom it is made: connections are kept for each owner apart. */
  owner: string;
  /**
   * What it carries: headers beside those that every call has, to which the body's length is added. Asked when there is a
   * connection, and asked again where that turned out to be an old one; sent at once. Undefined: nothing is sent.
   */
  message: () => Promise<CallMessage | undefined>;
  /** Ends the call. */
  signal?: AbortSignal;
}

/**
 * Calls what a stranger's URL leads to without being made a tool against the network it stands in (server-side request
 * forgery): where it may lead, `EndpointPolicy` says, of the URL and then of the addresses that are connected to. A redirect
 * is an answer. Bounded in time and size. Sends no cookies or credentials, and ignores proxy settings of the environment.
 *
 * Connections are kept: one whose address was judged, for a minute at most. A call that such a connection fails is not
 * repeated, since the other side may have got it (RFC 9110, 9.2.2).
 */
export class EndpointClient {
  private readonly policy: EndpointPolicy;
  private readonly times: CallTimes;
  private readonly agents: Readonly<Record<string, Agent>>;

  /** @throws Error that names what of `allowPrivate` is no block */
  constructor({ allowPrivate = [], timeout = 15_000, connectTimeout = 5_000, ...options }: EndpointClientOptions = {}) {
    this.policy = new EndpointPolicy(allowPrivate);
    this.times = { timeout, connectTimeout };
    const { resolve = dnsResolve(), ca } = options;
    const agentFor = (protocol: string) => {
      const lookup = judgedLookup((hostname) => this.policy.addressesOf(protocol, hostname, resolve));
      return keptConnections(protocol, { lookup, ...(ca === undefined ? {} : { ca }) });
    };
    this.agents = { 'http:': agentFor('http:'), 'https:': agentFor('https:') };
  }

  /**
   * Resolves with the answer, whatever its status; with undefined when there was nothing to be sent.
   *
   * @throws CallError when there was none, or not a whole one; the reason of `signal`, when that ended it; what `message` throws
   */
  post(url: string, { owner, message, signal }: Call): Promise<CallAnswer | undefined> {
    const target = this.admit(url);
    if (target instanceof CallError) return Promise.reject(target);
    const options: OwnedRequest = {
      owner,
      method: 'POST',
      agent: this.agents[target.protocol],
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: HEADERS,
    };
    const ask = target.protocol === 'https:' ? httpsRequest : httpRequest;
    return new EndpointCall(() => ask(target, options), message, this.times, signal).run();
  }

  /** Ends the connections that nobody uses, and those of the calls under way. */
  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private admit(url: string): URL | CallError {
    try {
      return this.policy.admit(url);
    } catch (cause) {
      return new CallError('address not allowed', { cause });
    }
  }
}
