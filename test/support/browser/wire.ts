import type { Page } from 'playwright-core';
import { until } from '../basics/wait-for.js';
import { TcpProxy } from '../servers/proxy/tcp-proxy.js';
import type { Visited } from './page-tester.js';

/** A host as a browser reaches it through a proxy that counts every byte: headers, contents, streams and sockets. */
export class Wire implements Visited {
  /** In both directions since the start. */
  bytes = 0;
  readonly url: string;
  readonly token: string;

  private constructor(host: Visited, proxy: TcpProxy) {
    this.url = proxy.through(host.url).replace(/\/$/, '');
    this.token = host.token;
  }

  static async inFrontOf(host: Visited): Promise<Wire> {
    const { hostname, port } = new URL(host.url);
    const count = async (bytes: Buffer) => {
      wire.bytes += bytes.length;
      return bytes;
    };
    const proxy = await TcpProxy.start(hostname, Number(port), () => ({ fromClient: count, fromServer: count }));
    const wire: Wire = new Wire(host, proxy);
    return wire;
  }

  /**
   * Bytes of a minute of the page's clock, which must be installed. Every request of a second ends before the next
   * second begins, so that answers are not late by that clock.
   *
   * @throws Error for a connection that stays open: its traffic follows the real clock
   */
  async minuteOf(page: Page): Promise<{ bytes: number; requests: number }> {
    const asked = new Asked(page);
    await asked.end();
    const [bytes, requests] = [this.bytes, asked.count];
    for (let second = 0; second < 60; second++) {
      await page.clock.runFor(1_000);
      await asked.end();
    }
    return { bytes: this.bytes - bytes, requests: asked.count - requests };
  }
}

/** Requests of a page. */
class Asked {
  count = 0;
  private pending = 0;
  private lasting: string | undefined;

  constructor(page: Page) {
    page.on('request', () => {
      this.count += 1;
      this.pending += 1;
    });
    page.on('requestfinished', () => {
      this.pending -= 1;
    });
    page.on('requestfailed', () => {
      this.pending -= 1;
    });
    page.on('response', (response) => {
      if (response.headers()['content-type']?.startsWith('text/event-stream')) this.lasting = response.url();
    });
    page.on('websocket', (socket) => {
      this.lasting = socket.url();
    });
  }

  /** Waits until no request is pending. */
  async end(): Promise<void> {
    await until(() => this.lasting !== undefined || this.pending <= 0);
    if (this.lasting !== undefined) throw new Error(`${this.lasting} stays open, and follows the real clock.`);
  }
}
