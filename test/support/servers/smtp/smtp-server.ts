import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { SmtpScript } from './smtp-script.js';
import { SmtpSession } from './smtp-session.js';

/** An SMTP server on 127.0.0.1 that follows its script. The caller of `start` closes it. */
export class SmtpServer {
  private readonly sessions = new Map<Socket, SmtpSession>();

  private constructor(
    private readonly server: Server,
    private readonly script: SmtpScript,
  ) {
    server.on('connection', (socket) => this.connected(socket));
  }

  /** @param port default: any free one. Rejects with `EADDRINUSE` when another process listens on it. */
  static async start(script: SmtpScript, port = 0): Promise<SmtpServer> {
    const server = createServer({ noDelay: true });
    const started = new SmtpServer(server, script);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes idle connections, like a server after its timeout. */
  closeIdle(): void {
    for (const [socket, session] of this.sessions) if (session.idle) socket.end();
  }

  /** Ends all connections at once. New ones are accepted. */
  cut(): void {
    for (const socket of this.sessions.keys()) socket.destroy();
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  private connected(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const session = new SmtpSession(socket, this.script);
    this.sessions.set(socket, session);
    socket.once('close', () => this.sessions.delete(socket));
    // A throwing script must not look like a network failure.
    session.run().catch((error: unknown) => {
      socket.destroy();
      process.nextTick(() => {
        throw error;
      });
    });
  }
}
