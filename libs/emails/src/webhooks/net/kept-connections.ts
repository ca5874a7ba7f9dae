import { type ClientRequest, type ClientRequestArgs, Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Limit of idle connections of one owner to one origin. Each call in progress has a connection. */
const MAX_IDLE = 10;
/** Limit of all idle connections. */
const MAX_IDLE_IN_ALL = 500;
/** Idle timeout of a connection. Milliseconds. */
const IDLE = 5_000;
/**
 * Margin before the server's own idle timeout. A request sent to a closing connection has an unknown outcome.
 * Milliseconds.
 */
const MARGIN = 1_000;
/** Maximal age of a reused connection, so that changes of DNS are followed. Milliseconds. */
const MAX_AGE = 60_000;

export interface ConnectionOptions {
  /** Resolves a host to the addresses to connect to. */
  lookup: LookupFunction;
  /** Certificate authorities in place of those of the process. */
  ca?: string;
}

/** Origin and owner of a connection. */
export interface OwnedRequest extends RequestOptions {
  /** Only calls of the same owner reuse a connection. */
  owner: string;
}

/** Keeps separate connections, which no setting of the process can route through a proxy. */
export function keptConnections(protocol: string, { lookup, ca }: ConnectionOptions): HttpAgent {
  const options = { keepAlive: true, timeout: IDLE, maxFreeSockets: MAX_IDLE, lookup, ...(ca ? { ca } : {}) };
  return keepApart(keepBriefly(protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)));
}

/**
 * If a server answers twice, the next call on that connection reads the second answer. Owners therefore share neither
 * connections nor TLS sessions.
 */
function keepApart(agent: HttpAgent): HttpAgent {
  const nameOf = agent.getName.bind(agent);
  const getName = (options?: ClientRequestArgs & Partial<OwnedRequest>) => `${options?.owner} ${nameOf(options)}`;
  return Object.assign(agent, { getName });
}

function keepBriefly(agent: HttpAgent): HttpAgent {
  const born = new WeakMap<Socket, number>();
  const idle = () => Object.values(agent.freeSockets).reduce((count, sockets) => count + (sockets?.length ?? 0), 0);
  // Its types omit that it returns whether the socket is kept.
  const keepAlive = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown;
  const keep = (socket: Duplex) => {
    if (!(socket instanceof Socket)) return false;
    const since = born.get(socket) ?? performance.now();
    born.set(socket, since);
    // Node sets the shorter of our timeout and the one in the answer.
    if (!keepAlive(socket) || performance.now() - since > MAX_AGE || idle() >= MAX_IDLE_IN_ALL) return false;
    const left = (socket.timeout ?? IDLE) - MARGIN;
    if (left <= 0) return false;
    socket.setTimeout(left).on('data', hangUp);
    return true;
  };
  const reuse = agent.reuseSocket.bind(agent);
  const useAgain = (socket: Duplex, request: ClientRequest) => reuse(socket.off('data', hangUp), request);
  return Object.assign(agent, { keepSocketAlive: keep, reuseSocket: useAgain });
}

/** Data on an idle connection is unsolicited, and Node does not treat the connection as idle while data arrives. */
function hangUp(this: Socket): void {
  this.destroy();
}
