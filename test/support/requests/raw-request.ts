import { PATIENCE } from '../basics/patience.mjs';
import { within } from '../basics/wait-for.js';
import { connectTo, RawConnection } from './raw-connection.js';

/** An HTTP/1.1 request with every byte under the test's control. */
export class RawRequest extends RawConnection {
  /** Bytes accepted by the system. */
  pushed = 0;

  /** Opens a connection and sends `lines` as the head of a request. */
  static override async open(baseUrl: string, ...lines: string[]): Promise<RawRequest> {
    const request = new RawRequest(await connectTo(baseUrl));
    await request.push(`${[...lines, 'Host: emails.test'].join('\r\n')}\r\n\r\n`);
    return request;
  }

  /** Resolves when the system has accepted the bytes; false if the connection was closed before. */
  async push(bytes: string | Buffer): Promise<boolean> {
    if (this.socket.destroyed) return false;
    const taken = await Promise.race([
      new Promise<boolean>((resolve) => this.socket.write(bytes, (error) => resolve(!error))),
      this.closed.then(() => false),
    ]);
    if (taken) this.pushed += bytes.length;
    return taken;
  }

  /** Sends without reading until all is sent or the connection is closed. */
  async pushAll(total: number): Promise<void> {
    const chunk = Buffer.alloc(65_536, 0x20);
    while (this.pushed < total && (await this.push(chunk)));
  }

  /** The head and the body of the answer, after both have arrived. */
  async answer(): Promise<{ status: number; head: string; body: string }> {
    const arrived = new Promise<void>((resolve) => {
      const look = () => this.parsed() && resolve();
      look();
      this.socket.on('data', look);
    });
    await within(Promise.race([arrived, this.closed]), PATIENCE, 'The answer to a raw request');
    const parsed = this.parsed();
    if (!parsed) throw new Error(`The connection ended without a whole answer: ${this.received}`);
    return parsed;
  }

  private parsed(): { status: number; head: string; body: string } | undefined {
    const interim = /^(HTTP\/1\.1 1\d\d [^\r]*\r\n\r\n)*/.exec(this.received)?.[0] ?? '';
    const [head = '', body] = this.received.slice(interim.length).split('\r\n\r\n', 2);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
    if (body === undefined || !(body.length >= length)) return undefined;
    return { status: Number(head.slice('HTTP/1.1 '.length).slice(0, 3)), head, body };
  }
}
