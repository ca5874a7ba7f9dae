import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterFile } from '../../basics/cleanup.js';
import { eventually } from '../../basics/wait-for.js';
import { type Fault, Link } from './link.js';
import { type Moment, noTap, type TapFactory, type Watcher } from './tap.js';

export type { Fault } from './link.js';

/** Waits at a place for what comes by. */
export interface Trap<Exchange> {
  /** Resolves when something is in it. */
  sprung: Promise<Exchange>;
  /** Lets go what it holds, and catches nothing more. */
  release(): void;
}

/**
 * A TCP proxy on 127.0.0.1 that stands before a server, plays its outages and what networks do, reads along and holds
 * single exchanges. It keeps its port through all of them.
 */
export class TcpProxy<Exchange = never> {
  /** Connections taken since the start. */
  connections = 0;
  private server: Server | undefined;
  private listeningPort = 0;
  private fault: Fault | undefined;
  private readonly links = new Set<Link>();
  private readonly watchers = new Set<Watcher<Exchange>>();

  private constructor(
    private readonly host: string,
    /** The port to which connections that are opened from now on lead. */
    public target: number,
    private readonly tap: TapFactory<Exchange>,
  ) {}

  /** Starts a proxy before the server at `host` and `target`; it is closed after the test file. */
  static async start<Exchange = never>(
    host: string,
    target: number,
    tap: TapFactory<Exchange> = noTap,
  ): Promise<TcpProxy<Exchange>> {
    const proxy = new TcpProxy(host, target, tap);
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
    for (const link of this.links) link.reset();
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
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.connected(client));
      server.listen(this.listeningPort, '127.0.0.1');
      await once(server, 'listening');
      this.server = server;
      this.listeningPort = (server.address() as AddressInfo).port;
    });
  }

  /** From now on, until `lift`, this happens to open connections and to new ones. */
  impose(fault: Fault): void {
    this.fault = fault;
    for (const link of this.links) link.suffer(fault);
  }

  lift(): void {
    this.fault = undefined;
  }

  /** Tells of every exchange, until the returned function is called. */
  watch(watcher: Watcher<Exchange>): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Catches the first exchange that `matches` at that moment. With `hold`, it gets no further until the release. */
  trap(moment: Moment, matches: (exchange: Exchange) => boolean, { hold = true } = {}): Trap<Exchange> {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let stop = () => {};
    const sprung = new Promise<Exchange>((resolve) => {
      stop = this.watch((now, exchange) => {
        if (now !== moment || !matches(exchange)) return undefined;
        stop();
        resolve(exchange);
        return hold ? released : undefined;
      });
    });
    return {
      sprung,
      release: () => {
        stop();
        release();
      },
    };
  }

  close(): Promise<void> {
    return this.refuse();
  }

  private connected(client: Socket): void {
    this.connections += 1;
    const server = connect({ port: this.target, host: this.host, allowHalfOpen: true, noDelay: true });
    const link = new Link(
      client,
      server,
      this.tap((moment, exchange) => this.tell(moment, exchange)),
      () => this.fault,
    );
    this.links.add(link);
    link.ended.then(() => this.links.delete(link));
    if (this.fault) link.suffer(this.fault);
  }

  private async tell(moment: Moment, exchange: Exchange): Promise<void> {
    await Promise.all([...this.watchers].map((watcher) => watcher(moment, exchange)));
  }
}
