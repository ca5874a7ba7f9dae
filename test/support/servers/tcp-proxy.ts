import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterFile } from '../basics/cleanup.js';
import { eventually } from '../basics/wait-for.js';

/** A TCP proxy on 127.0.0.1 that stands before a server and plays its outages. It keeps its port through all of them. */
export class TcpProxy {
  /** Connections taken since the start. */
  connections = 0;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  private listeningPort = 0;

  private constructor(
    private readonly targetHost: string,
    private readonly targetPort: number,
  ) {}

  static async start(targetHost: string, targetPort: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(targetHost, targetPort);
    await proxy.restore();
    afterFile(() => proxy.close());
    return proxy;
  }

  get port(): number {
    return this.listeningPort;
  }

  /** The URL of the server behind, led through this proxy. */
  through(url: string): string {
    const address = new URL(url);
    address.hostname = '127.0.0.1';
    address.port = String(this.port);
    return address.href;
  }

  /** Resets all connections that are open now; new ones are served. */
  cut(): void {
    for (const socket of this.sockets) reset(socket);
  }

  /** From now on new connections are refused, and the open ones are reset: the server is down. */
  async refuse(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (!server) return this.cut();
    const closed = once(server, 'close');
    server.close();
    this.cut();
    await closed;
  }

  /** Serves again, on the same port. */
  async restore(): Promise<void> {
    if (this.server) return;
    // As a client port the kernel may have lent ours to somebody for a moment.
    await eventually(async () => {
      const server = createServer((client) => this.connected(client));
      server.listen(this.listeningPort, '127.0.0.1');
      await once(server, 'listening');
      this.server = server;
      this.listeningPort = (server.address() as AddressInfo).port;
    });
  }

  close(): Promise<void> {
    return this.refuse();
  }

  private connected(client: Socket): void {
    this.connections += 1;
    const target = connect(this.targetPort, this.targetHost);
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => reset(other));
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.end();
      });
      socket.pipe(other);
    }
  }
}

/** Starts a proxy before a server; it is closed after the test file. */
export function startProxy(targetHost: string, targetPort: number): Promise<TcpProxy> {
  return TcpProxy.start(targetHost, targetPort);
}

/** A socket that was ended cannot be reset any more (EINVAL): it would stay open for good and keep Node from exiting. */
export function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
