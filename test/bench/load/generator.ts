/**
 * The load generator, a separate process that shares two cores with the measured one, so it is cheap: requests are
 * bytes made once, and answers are read only for their status and their end.
 */
import { connect, type Socket } from 'node:net';
import { reply } from '../support/child.js';
import { summarize, type Timings } from './timings.js';

/** The task. `seconds` or `count` ends it, whichever comes first. */
export interface Load {
  port: number;
  /** Whole HTTP/1.1 requests, sent in turn. */
  requests: readonly string[];
  connections: number;
  seconds?: number;
  count?: number;
  /** Requests a second, started on time regardless of pending ones. Default: as fast as answers arrive. */
  rate?: number;
  /** Requests that may be sent before more are allowed by `{ allow: n }`. Default: no such limit. */
  allowed?: number;
}

export interface LoadResult extends Timings {
  sent: number;
  perSecond: number;
  /** Answers by status code. */
  statuses: Record<string, number>;
}

const NOTHING = Buffer.alloc(0);
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

class Connection {
  private pending: Buffer | undefined;
  private missing = 0;
  private began = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly onAnswer: (connection: Connection, status: string, began: number) => void,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.read(chunk));
    socket.on('close', () => process.exit(1));
  }

  static open(port: number, onAnswer: Connection['onAnswer']): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket, onAnswer)));
      socket.once('error', reject);
    });
  }

  send(request: Buffer, began: number): void {
    this.began = began;
    this.socket.write(request);
  }

  close(): void {
    this.socket.removeAllListeners('close').destroy();
  }

  private read(chunk: Buffer): void {
    if (this.inChunks) {
      this.readChunks(chunk);
      return;
    }
    if (this.missing > 0) {
      this.missing -= chunk.length;
      if (this.missing === 0) this.answered();
      return;
    }
    const bytes = this.pending ? Buffer.concat([this.pending, chunk]) : chunk;
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) {
      this.pending = bytes;
      return;
    }
    this.pending = undefined;
    const head = bytes.toString('latin1', 0, end);
    this.status = head.slice(9, 12);
    if (/\r\ntransfer-encoding: chunked/i.test(head)) {
      this.inChunks = true;
      this.readChunks(bytes.subarray(end));
      return;
    }
    this.missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (bytes.length - end - 4);
    if (this.missing === 0) this.answered();
  }

  /** Long answers come in chunks, and no JSON ends like the last chunk (RFC 9112 section 7.1). */
  private readChunks(bytes: Buffer): void {
    const tail = Buffer.concat([this.tail, bytes]).subarray(-LAST_CHUNK.length);
    this.inChunks = !tail.equals(LAST_CHUNK);
    this.tail = this.inChunks ? tail : NOTHING;
    if (!this.inChunks) this.answered();
  }

  private inChunks = false;
  private tail: Buffer = NOTHING;
  private status = '';

  private answered(): void {
    this.onAnswer(this, this.status, this.began);
  }
}

let allow: (count: number) => void = () => {};

async function run({ port, requests, connections, seconds, count, rate, allowed }: Load): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request));
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const idle: Connection[] = [];
  const due: number[] = [];
  let sent = 0;
  let limit = allowed ?? Number.POSITIVE_INFINITY;
  let ending = false;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const mayStart = () => !ending && sent < (count ?? Number.POSITIVE_INFINITY) && sent < limit;
  const start = (connection: Connection, began: number) => {
    connection.send(bytes[sent % bytes.length] as Buffer, began);
    sent += 1;
  };
  const next = (connection: Connection) => {
    if (rate !== undefined) {
      const began = due.shift();
      if (began === undefined) idle.push(connection);
      else start(connection, began);
    } else if (mayStart()) start(connection, performance.now());
    else idle.push(connection);
    if (idle.length === connections && (ending || sent >= (count ?? Number.POSITIVE_INFINITY))) finish();
  };
  const all = await Promise.all(
    Array.from({ length: connections }, () =>
      Connection.open(port, (connection, status, began) => {
        times.push(performance.now() - began);
        statuses[status] = (statuses[status] ?? 0) + 1;
        next(connection);
      }),
    ),
  );

  const begin = performance.now();
  allow = (more) => {
    limit = more;
    while (idle.length > 0 && mayStart()) start(idle.pop() as Connection, performance.now());
  };
  if (seconds !== undefined) {
    setTimeout(() => {
      ending = true;
      due.length = 0;
      if (idle.length === connections) finish();
    }, seconds * 1_000);
  }
  let timer: NodeJS.Timeout | undefined;
  for (const connection of all) rate === undefined ? next(connection) : idle.push(connection);
  if (rate !== undefined) {
    let begun = 0;
    timer = setInterval(() => {
      const now = performance.now();
      for (; !ending && begun < ((now - begin) / 1_000) * rate; begun++) {
        const began = begin + (begun / rate) * 1_000;
        const connection = idle.pop();
        if (connection) start(connection, began);
        else due.push(began);
      }
    }, 1);
  }
  await finished;
  clearInterval(timer);
  const elapsed = (performance.now() - begin) / 1_000;
  for (const connection of all) connection.close();
  return { sent, perSecond: times.length / elapsed, statuses, ...summarize(times) };
}

process.on('message', (message: Load | { allow: number }) => {
  if ('allow' in message) allow(message.allow);
  else void run(message).then(reply);
});
reply({});
