import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Fault, Link } from './link.js';
import type { Moment, TapFactory, Watcher } from './tap.js';

export type { Fault } from './link.js';

/** Waits at a place for what comes by. */
export interface Trap<Exchange> {
  /** Resolves when something is in it. */
  sprung: Promise<Exchange>;
  /** Lets go what it holds, and catches nothing more. */
  release(): void;
}

/** A TCP proxy on 127.0.0.1 that reads along, holds single exchanges, and plays what networks do. It keeps its port. */
export class FaultyProxy<Exchange> {
  /** Where connections that are opened from now on lead. */
  target: number;
  private fault: Fault | undefined;
  private readonly links = new Set<Link>();
  private readonly watchers = new Set<Watcher<Exchange>>();

  private constructor(
    private readonly server: Server,
    private readonly tap: TapFactory<Exchange>,
    target: number,
  ) {
    this.target = target;
    server.on('connection', (client) => this.connected(client));
  }

  /** @param target port of 127.0.0.1 */
  static async start<Exchange>(target: number, tap: TapFactory<Exchange>): Promise<FaultyProxy<Exchange>> {
    const server = createServer({ allowHalfOpen: true, noDelay: true });
    const proxy = new FaultyProxy(server, tap, target);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The URL of the server behind, led through this proxy. */
  through(url: string): string {
    const address = new URL(url);
    address.hostname = '127.0.0.1';
    address.port = String(this.port);
    return address.href;
  }

  /** From now on, until `lift`, this happens to open connections and to new ones. */
  impose(fault: Fault): void {
    this.fault = fault;
    for (const link of this.links) link.suffer(fault);
  }

  lift(): void {
    this.fault = undefined;
  }

  /** Resets all connections. */
  cut(): void {
    for (const link of this.links) link.reset();
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

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private connected(client: Socket): void {
    const server = connect({ port: this.target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
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
