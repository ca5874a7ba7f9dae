import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterFile } from '../../support/basics/cleanup.js';
import type { Random } from '../../support/basics/random.js';
import { Ledger } from './ledger.js';
import { RandomSession, type Temper } from './random-session.js';

/** A correct server, as at the end of a run. */
const CALM: Temper = { pipelining: true, isInStep: true, oddity: 0 };

/** An SMTP server on 127.0.0.1 with random behaviour by a seed, which records its actions. */
export class RandomServer {
  readonly ledger = new Ledger();
  /** Behaviour of new connections. */
  temper: Temper = CALM;
  private isCalm = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly random: Random,
  ) {
    server.on('connection', (socket) => this.connected(socket));
  }

  /** It is closed after the test file. */
  static async start(random: Random): Promise<RandomServer> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
    const started = new RandomServer(server, random);
    await once(server, 'listening');
    afterFile(() => started.close());
    return started;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on all connections behave correctly. */
  calm(): void {
    this.isCalm = true;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private connected(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => this.sockets.delete(socket));
    const number = ++this.ledger.sessions;
    const { temper } = this;
    const session = new RandomSession(
      socket,
      () => (this.isCalm ? { ...temper, oddity: 0 } : temper),
      this.random.branch(`session ${number}`),
      this.ledger,
    );
    session.run().catch((error: unknown) => {
      socket.destroy();
      process.nextTick(() => {
        throw error;
      });
    });
  }
}
