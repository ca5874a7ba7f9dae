import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterFile } from '../basics/cleanup.js';
import { PATIENCE } from '../basics/patience.mjs';
import { within } from '../basics/wait-for.js';

/** A connection on which the test sends each byte, and may never send the last. */
export class RawConnection {
  /** All received bytes, as Latin-1. */
  received = '';
  readonly closed: Promise<unknown>;

  protected constructor(protected readonly socket: Socket) {
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.received += text;
    });
    // A server may end a refused connection with a reset.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    afterFile(() => this.end());
  }

  static async open(baseUrl: string, bytes: string | Buffer): Promise<RawConnection> {
    const socket = await connectTo(baseUrl);
    const connection = new RawConnection(socket);
    connection.write(bytes);
    return connection;
  }

  write(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Stops reading, so that the server has to buffer. */
  stopReading(): void {
    this.socket.pause();
  }

  async end(): Promise<void> {
    this.socket.destroy();
    await this.closed;
  }
}

export async function connectTo(baseUrl: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** Sends these bytes on a separate connection and returns the answer once the server has closed it. */
export async function exchange(baseUrl: string, bytes: string | Buffer, timeout = PATIENCE): Promise<string> {
  const connection = await RawConnection.open(baseUrl, bytes);
  await within(connection.closed, timeout, 'The end of a raw exchange');
  return connection.received;
}
