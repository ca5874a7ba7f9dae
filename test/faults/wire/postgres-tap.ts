import type { Moment, Tap, TapFactory } from '../../support/servers/proxy/tap.js';

/** A statement and its answer (PostgreSQL documentation, "Frontend/Backend Protocol"). */
export interface PostgresExchange {
  /** The prepared text, with `$1`. */
  sql: string;
  params: (string | null)[];
  /** Rows in text form; empty before the answer. */
  rows: (string | null)[][];
  /** True on connections of the queue, which have its schema in their search path. */
  queue: boolean;
}

const SSL_REQUEST = 80_877_103;
const EMPTY = Buffer.alloc(0);

/** Statements are forwarded complete, at their Sync, and answers complete, at their ReadyForQuery. */
class PostgresTap implements Tap {
  private fromClientRest: Buffer = EMPTY;
  private fromServerRest: Buffer = EMPTY;
  private started = false;
  private queue = false;
  private readonly prepared = new Map<string, string>();
  private request: Buffer[] = [];
  private exchange: PostgresExchange | undefined;
  private readonly unanswered: PostgresExchange[] = [];
  private answer: Buffer[] = [];

  constructor(private readonly watch: (moment: Moment, exchange: PostgresExchange) => Promise<void>) {}

  async fromClient(bytes: Buffer): Promise<Buffer> {
    this.fromClientRest = Buffer.concat([this.fromClientRest, bytes]);
    const out: Buffer[] = [];
    for (let message = this.nextFromClient(); message; message = this.nextFromClient()) {
      this.request.push(message);
      if (!this.readRequest(message)) continue;
      if (this.exchange) {
        const { exchange } = this;
        this.exchange = undefined;
        await this.watch('request', exchange);
        this.unanswered.push(exchange);
      }
      out.push(...this.request.splice(0));
    }
    return Buffer.concat(out);
  }

  async fromServer(bytes: Buffer): Promise<Buffer> {
    this.fromServerRest = Buffer.concat([this.fromServerRest, bytes]);
    const out: Buffer[] = [];
    for (let message = nextTyped(this.fromServerRest); message; message = nextTyped(this.fromServerRest)) {
      this.fromServerRest = this.fromServerRest.subarray(message.length);
      const [exchange] = this.unanswered;
      this.answer.push(message);
      const type = String.fromCharCode(message[0] ?? 0);
      if (exchange && type === 'D') exchange.rows.push(readRow(message));
      if (exchange && type !== 'Z') continue;
      if (exchange) {
        this.unanswered.shift();
        await this.watch('answer', exchange);
      }
      out.push(...this.answer.splice(0));
    }
    return Buffer.concat(out);
  }

  private nextFromClient(): Buffer | undefined {
    const rest = this.fromClientRest;
    const message = this.started ? nextTyped(rest) : nextUntyped(rest);
    if (message) this.fromClientRest = rest.subarray(message.length);
    return message;
  }

  /** True when the collected messages may be forwarded. */
  private readRequest(message: Buffer): boolean {
    if (!this.started) {
      this.started = message.length < 8 || message.readInt32BE(4) !== SSL_REQUEST;
      this.queue = message.includes('search_path');
      return true;
    }
    const type = String.fromCharCode(message[0] ?? 0);
    if (type === 'P') {
      const [name = '', sql = ''] = message.toString('utf8', 5).split('\0', 2);
      this.prepared.set(name, sql);
    } else if (type === 'B') {
      const { statement, params } = readBind(message);
      this.exchange = { sql: this.prepared.get(statement) ?? '', params, rows: [], queue: this.queue };
    } else if (type === 'Q') {
      this.exchange = { sql: message.toString('utf8', 5, message.length - 1), params: [], rows: [], queue: this.queue };
    }
    if (type === 'S') this.exchange ??= { sql: '', params: [], rows: [], queue: this.queue };
    // Parse, Bind, Describe, Execute and Close wait for the message that ends them.
    return !'PBDEC'.includes(type);
  }
}

function nextUntyped(buffer: Buffer): Buffer | undefined {
  if (buffer.length < 4) return undefined;
  const length = buffer.readInt32BE(0);
  return buffer.length < length ? undefined : buffer.subarray(0, length);
}

function nextTyped(buffer: Buffer): Buffer | undefined {
  if (buffer.length < 5) return undefined;
  const length = 1 + buffer.readInt32BE(1);
  return buffer.length < length ? undefined : buffer.subarray(0, length);
}

function readBind(message: Buffer): { statement: string; params: (string | null)[] } {
  const portalEnd = message.indexOf(0, 5);
  const statementEnd = message.indexOf(0, portalEnd + 1);
  const formats = message.readInt16BE(statementEnd + 1);
  const { values } = readValues(message, statementEnd + 3 + 2 * formats);
  return { statement: message.toString('utf8', portalEnd + 1, statementEnd), params: values };
}

function readRow(message: Buffer): (string | null)[] {
  return readValues(message, 5).values;
}

function readValues(message: Buffer, start: number): { values: (string | null)[] } {
  let at = start + 2;
  const values = Array.from({ length: message.readInt16BE(start) }, () => {
    const length = message.readInt32BE(at);
    at += 4 + Math.max(length, 0);
    return length < 0 ? null : message.toString('utf8', at - length, at);
  });
  return { values };
}

export const postgresTap: TapFactory<PostgresExchange> = (watch) => new PostgresTap(watch);
