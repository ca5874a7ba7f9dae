import { type ClientRequest, type ClientRequestArgs, Agent as HttpAgent, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Idle connections of one owner to one origin. Those in use are as many as there are calls. */
const MAX_IDLE = 10;
/** Idle connections in all. */
const MAX_IDLE_IN_ALL = 500;
/** For how long a connection is kept that nobody uses. Milliseconds. */
const IDLE = 5_000;
/** So much sooner than the other side would: what is sent to a connection that it is closing has an unknown end. */
const MARGIN = 1_000;
/** For how long a connection is used again, so that a name that moved away is followed. Milliseconds. */
const MAX_AGE = 60_000;

export interface ConnectionOptions {
  /** How each host becomes the addresses that are connected to. */
  lookup: LookupFunction;
  /** Certificate authorities instead of those of the process. */
  ca?: string;
}

/** What a call asks a connection for. */
export interface OwnedRequest extends RequestOptions {
  /** Only calls of the same owner use a connection one after the other. */
  owner: string;
}

/** Keeps connections of its own, which no setting of the process can send through a proxy. */
export function keptConnections(protocol: string, { lookup, ca }: ConnectionOptions): HttpAgent {
  const options = { keepAlive: true, timeout: IDLE, maxFreeSockets: MAX_IDLE, lookup, ...(ca ? { ca } : {}) };
  return keepApart(keepBriefly(protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)));
}

/**
 * A server that answers twice is believed once more, by the next call on that connection. So the connection of one owner is
 * never that of another, nor is a session of TLS.
 */
function keepApart(agent: HttpAgent): HttpAgent {
  const nameOf = agent.getName.bind(agent);
  const getName = (options?: ClientRequestArgs & Partial<OwnedRequest>) => `${options?.owner} ${nameOf(options)}`;
  return Object.assign(agent, { getName });
}

function keepBriefly(agent: HttpAgent): HttpAgent {
  const born = new WeakMap<Socket, number>();
  const idle = () => Object.values(agent.freeSockets).reduce((count, sockets) => count + (sockets?.length ?? 0), 0);
  // Its types do not tell that it says whether the socket is kept.
  const keepAlive = agent.keepSocketAlive.bind(agent) as (socket: Duplex) => unknown;
  const keep = (socket: Duplex) => {
    if (!(socket instanceof Socket)) return false;
    const since = born.get(socket) ?? performance.now();
    born.set(socket, since);
    // Brings the shorter of our time and the one that the answer named.
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

/** Nobody asked for what comes on an idle connection, and as long as something comes it is not idle to Node. */
function hangUp(this: Socket): void {
  this.destroy();
}
