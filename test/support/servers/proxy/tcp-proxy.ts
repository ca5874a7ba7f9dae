import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterFile } from '../../basics/cleanup.js';
import { eventually } from '../../basics/wait-for.js';
import { type Fault, Link } from './link.js';
import { type Moment, noTap, type TapFactory, type Watcher } from './tap.js';

export type { Fault } from './link.js';

/** A trap for the first matching exchange. */
export interface Trap<Exchange> {
  /** Resolves when it has caught one. */
  sprung: Promise<Exchange>;
  /** Releases the exchange, and catches no more. */
  release(): void;
}

/**
 * A TCP proxy on 127.0.0.1 in front of a server that simulates outages and network faults, parses the protocol and
 * holds single exchanges. Its port never changes.
 */
export class TcpProxy<Exchange = never> {
  /** Accepted connections since the start. */
  connections = 0;
  private server: Server | undefined;
  private listeningPort = 0;
  private fault: Fault | undefined;
  private readonly links = new Set<Link>();
  private readonly watchers = new Set<Watcher<Exchange>>();

  private constructor(
    private readonly host: string,
    /** The target port of new connections. */
    public target: number,
    private readonly tap: TapFactory<Exchange>,
  ) {}

  /** Starts a proxy in front of the server at `host` and `target`; it is closed after the test file. */
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

  /** The URL of the server through this proxy. */
  through(url: string): string {
    const address = new URL(url);
    address.hostname = '127.0.0.1';
    address.port = String(this.port);
    return address.href;
  }

  /** Resets all open connections; new ones are served. */
  cut(): void {
    for (const link of this.links) link.reset();
  }

  /** Refuses new connections, and resets the open ones, like a stopped server. */
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
    // The kernel may have assigned our port to a client for a moment.
    await eventually(async () => {
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.connected(client));
      server.listen(this.listeningPort, '127.0.0.1');
      await once(server, 'listening');
      this.server = server;
      this.listeningPort = (server.address() as AddressInfo).port;
    });
  }

  /** Applies this fault to open and new connections until `lift`. */
  impose(fault: Fault): void {
    this.fault = fault;
    for (const link of this.links) link.suffer(fault);
  }

  lift(): void {
    this.fault = undefined;
  }

  /** Reports every exchange until the returned function is called. */
  watch(watcher: Watcher<Exchange>): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** Catches the first exchange that `matches` at that moment. With `hold`, it is stopped until the release. */
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
