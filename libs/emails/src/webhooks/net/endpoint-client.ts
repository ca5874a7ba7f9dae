import { type Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { dnsResolve, judgedLookup, type Resolve } from '../../shared/net/public-lookup.js';
import { CallError } from './call-error.js';
import { type CallAnswer, type CallMessage, type CallTimes, EndpointCall } from './endpoint-call.js';
import { EndpointPolicy } from './endpoint-policy.js';
import { keptConnections, type OwnedRequest } from './kept-connections.js';

const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'nestjs-emails' };
const MAX_HEADER_BYTES = 16_384;

export interface EndpointClientOptions {
  /** Blocks of the operator's network that may be called, in CIDR notation. Default: none. */
  allowPrivate?: readonly string[];
  /**
   * Timeout of one call without the time for its message: name, connection, TLS, answer with its body. Milliseconds.
   * Default: 15,000.
   */
  timeout?: number;
  /** Timeout of connection and TLS handshake, within the total. Milliseconds. Default: 5,000. */
  connectTimeout?: number;
  /** Resolver of host names. Default: DNS. */
  resolve?: Resolve;
  /** Certificate authorities, as PEM. Default: those of the process, with `NODE_EXTRA_CA_CERTS`. */
  ca?: string;
}

export interface Call {
  /** Owner of the call. Each owner has separate connections. */
  owner: string;
  /**
   * Returns the message: headers in addition to those of every call, without the body's length, and the body. Called
   * once there is a connection, and again if that was stale; the result is sent at once. Undefined: nothing is sent.
   */
  message: () => Promise<CallMessage | undefined>;
  /** Aborts the call. */
  signal?: AbortSignal;
}

/**
 * Calls the URL of a stranger without exposing the operator's network (server-side request forgery). `EndpointPolicy`
 * judges the URL and then the addresses that are connected to. A redirect is an answer. Bounded in time and size. Sends
 * no cookies or credentials, and ignores proxy settings of the environment.
 *
 * Connections are kept for a minute at most, each with its judged address. A call that fails on such a connection is
 * not repeated, since the endpoint may have received it (RFC 9110, 9.2.2).
 */
export class EndpointClient {
  private readonly policy: EndpointPolicy;
  private readonly times: CallTimes;
  private readonly agents: Readonly<Record<string, Agent>>;

  /** @throws Error that names the invalid block of `allowPrivate` */
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
   * Resolves with the answer of any status, or with undefined when there was nothing to send.
   *
   * @throws CallError without a complete answer; the reason of `signal` after an abort; the error of `message`
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

  /** Closes idle connections, and those of calls in progress. */
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
